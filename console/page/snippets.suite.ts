import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { build } from 'esbuild';
import { RunningProcess } from '../../dev/support/runningProcess.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import { newFlag } from '../../shared/flags/edits/flagEdits.ts';
import type { VariationType } from '../../shared/flags/flag.ts';
import { until } from '../../shared/testing/until.ts';
import { type SnippetName, snippetFor } from './logic/snippets.ts';
import { ConsoleWorld, ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

/** Values of each type: of the first variation, which the flag serves while it is on, and of the second. */
const VALUES: readonly (readonly [VariationType, on: string, off: string])[] = [
  ['boolean', 'true', 'false'],
  ['string', 'large', 'small'],
  ['number', '2.5', '1'],
  ['json', '{"color":"red"}', '{"color":"blue"}'],
];

let world: ConsoleWorld;
let shop: ShownEnvironment;
let serverKey: string;
let clientKey: string;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  const { environment, secrets } = await world.store.environments.create('snippets');
  const keyOf = (type: string) => secrets.find(({ record }) => record.type === type)?.value ?? '';
  [serverKey, clientKey] = [keyOf('server'), keyOf('client')];
  const documents = VALUES.map(([type, ...values]) => {
    const made = newFlag(randomUUID, { key: `a-${type}`, name: type, variationType: type, values });
    return { kind: 'flag' as const, document: { ...made, isEnabled: true } };
  });
  const ofReadme = newFlag(randomUUID, {
    key: 'new-checkout',
    name: 'r',
    variationType: 'boolean',
    values: ['true', 'false'],
  });
  documents.push({ kind: 'flag', document: { ...ofReadme, isEnabled: true } });
  await world.store.documents.import(environment.id, documents);
  shop = new ShownEnvironment(world, environment.id);
});
afterAll(() => world?.close());

/** A snippet with the values of this test. */
function codeOf(name: SnippetName, flagType: VariationType): string {
  const httpUrl = new URL(world.address).origin;
  const streamingUrl = httpUrl.replace('http', 'ws');
  const values = { streamingUrl, httpUrl, clientKey, serverKey, flagKey: `a-${flagType}`, flagType };
  return snippetFor(name, values).code;
}

/** Runs a snippet where its packages are installed. */
function run(name: SnippetName, flagType: VariationType, folder: string): RunningProcess {
  const code = codeOf(name, flagType);
  return new RunningProcess([process.execPath, '--input-type=module', '--eval', code], {
    cwd: join(repositoryRoot, folder),
  });
}

/** What a snippet printed, without what the SDK logs. */
function printed({ output }: RunningProcess): string[] {
  return output.split('\n').filter((line) => line !== '' && !/^\w+: \[/.test(line));
}

/** A value as Node prints it. */
function shown(type: VariationType, value: string): string {
  return type === 'json' ? value.replace(/"(\w+)":"(\w+)"/, " $1: '$2' ") : value;
}

describe.each(VALUES)('snippets for a flag of type %s', (type, on, off) => {
  test('the Node snippet prints the value once, and each change', async () => {
    const node = run('Node', type, '.');
    await until(() => printed(node).length > 0);
    await shop.change(`a-${type}`, { isEnabled: false });
    await until(() => printed(node).length > 1);
    await node.stop();
    expect(printed(node)).toEqual([shown(type, on), shown(type, off)]);
    await shop.change(`a-${type}`, { isEnabled: true });
  });

  test('the OpenFeature snippet for servers prints the value once, and each change', async () => {
    const node = run('OpenFeature server', type, 'dev/verify/conformance');
    await until(() => printed(node).length > 0);
    await shop.change(`a-${type}`, { isEnabled: false });
    await until(() => printed(node).length > 1);
    await node.stop();
    expect(printed(node)).toEqual([shown(type, on), shown(type, off)]);
    await shop.change(`a-${type}`, { isEnabled: true });
  });

  test('the browser snippet prints the value once, and each change', async () => {
    const { outputFiles } = await build({
      stdin: { contents: codeOf('Browser', type), resolveDir: repositoryRoot },
      bundle: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    });
    const { page } = await world.browser.open('about:blank');
    const lines: string[] = [];
    page.on('console', async (message) => {
      const [value] = await Promise.all(message.args().map((each) => each.jsonValue()));
      lines.push(typeof value === 'object' ? JSON.stringify(value) : String(value));
    });
    await page.setBypassCSP(true);
    await page.goto(new URL('/try', world.address).href);
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '', type: 'module' });
    const values = () => lines.filter((line) => line === on || line === off);
    await until(() => values().length > 0);
    await shop.change(`a-${type}`, { isEnabled: false });
    await until(() => values().length > 1);
    expect(values()).toEqual([on, off]);
    // First: a message of a page that closes has no value.
    await page.browserContext().close();
    await shop.change(`a-${type}`, { isEnabled: true });
  });

  test('the page offers the flag of the last view, and says what the snippet prints', async () => {
    const page = await shop.open(`flags/a-${type}`);
    await page.says(`a-${type}`, 'main');
    await page.view('Keys');
    await page.says(`u1 gets ${on} now.`, '.current-value');
    expect(await page.text('.snippet')).toContain(`'a-${type}'`);
    await page.close();
  });
});

test('the snippet of the README prints the value once, and each change', async () => {
  const [, snippet = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(repositoryRoot, 'README.md'), 'utf8')) ?? [];
  const code = snippet.replaceAll('127.0.0.1:5100', new URL(world.address).host);
  const node = new RunningProcess([process.execPath, '--input-type=module', '--eval', code], {
    cwd: repositoryRoot,
    environment: { ...process.env, SERVER_KEY: serverKey },
  });
  await until(() => printed(node).length > 0);
  await shop.change('new-checkout', { isEnabled: false });
  await until(() => printed(node).length > 1);
  await node.stop();
  expect(printed(node)).toEqual(['true', 'false']);
});
