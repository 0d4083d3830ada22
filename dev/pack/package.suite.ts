import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { setTimeouts, until } from '../../shared/testing/until.ts';
import { RunningProcess } from '../support/runningProcess.ts';
import { environment, INSTALL_MS, OLDEST_NODE, UserFolder } from './testing/userFolder.ts';

const INSTALLED_BYTES = 80e6;
const SDK = '@featbit/node-server-sdk';

const user = new UserFolder();
const folder = user.path;
const running: RunningProcess[] = [];
let service: RunningProcess;

const flagwire = (...args: string[]) => user.run('npx', 'flagwire', ...args);

/** Starts a command that goes on, with a process group for itself and what it starts. */
function start(command: readonly string[], variables: NodeJS.ProcessEnv = {}): RunningProcess {
  const options = { cwd: folder, environment: { ...environment, ...variables } };
  const begun = new RunningProcess(['setsid', ...command], options);
  running.push(begun);
  return begun;
}

/** Presses Ctrl-C. */
async function interrupt(command: RunningProcess): Promise<void> {
  if (command.isRunning) process.kill(-command.pid, 'SIGINT');
  await command.ended;
}

function bytesIn(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return entries.reduce((sum, entry) => sum + statSync(join(directory, entry)).size, 0);
}

beforeAll(async () => {
  setTimeouts({ condition: 60_000 });
  await user.install(await user.pack('flagwire'));
}, INSTALL_MS);

afterAll(async () => {
  await Promise.all(running.map(interrupt));
  user.remove();
});

test('is smaller than its limit once it is installed, without Bun', () => {
  const modules = join(folder, 'node_modules');
  expect(readdirSync(modules)).not.toContain('bun');
  expect(bytesIn(modules)).toBeLessThan(INSTALLED_BYTES);
});

test('has the licences of the packages in it, and no files of tests', () => {
  const home = join(folder, 'node_modules', 'flagwire');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /[.](test|suite)[.]|testing|loadtest|[.]ts$/.test(path))).toEqual([]);
  const licences = readFileSync(join(home, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  for (const name of [
    'commander',
    'hono',
    'zod',
    'ws',
    're2js',
    '@aws-sdk/client-dynamodb',
    'preact',
    SDK.replace('node-server', 'js-client'),
  ])
    expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
});

test(
  'a new user starts the service on the oldest Node, connects the Node SDK, and sees a flag change',
  async () => {
    await user.install(`node@${OLDEST_NODE}`, `${SDK}@${packageJson.devDependencies[SDK]}`);
    expect((await user.run('npx', 'node', '--version')).stdout.trim()).toBe(`v${OLDEST_NODE}`);

    service = start(['npx', 'flagwire', 'start', '--port', '0']);
    await service.printed('npx flagwire flags toggle new-checkout');
    expect(service.output).not.toMatch(/npm (run|start)|Warning/);

    // The program that it prints.
    const [, snippet = ''] = /run: npm install \S+ && node flag.mjs\n\n(.*?)\n\n/s.exec(service.output) ?? [];
    writeFileSync(join(folder, 'flag.mjs'), snippet);
    const application = start(['npx', 'node', 'flag.mjs']);
    await application.printed('true\n');

    const { stdout, stderr } = await flagwire('flags', 'toggle', 'new-checkout');
    expect(stdout).toMatch(/^✓ new-checkout is off/);
    expect(stderr).toBe('');
    await application.printed('false\n');
    expect((await flagwire('flags', 'usage', 'new-checkout')).stdout).toContain('new-checkout');
  },
  INSTALL_MS,
);

test('serves the console and the page /try, which were made with the package', async () => {
  const [console] = /http:\S+\/console\//.exec(service.output) ?? [];
  const page = await (await fetch(`${console}`)).text();
  const [, script] = /src="([^"]+)"/.exec(page) ?? [];
  expect((await fetch(new URL(`${script}`, console))).status).toBe(200);
  const [, http] = /HTTP +(\S+)/.exec(service.output) ?? [];
  expect(await (await fetch(`${http}/try`)).text()).toContain('npx flagwire start --host 0.0.0.0');
  expect((await (await fetch(`${http}/try/sdk.js`)).text()).length).toBeGreaterThan(10_000);
});

test('the host runs on Node where Bun is not installed, says so, and stops on SIGTERM', async () => {
  const home = join(folder, 'node_modules', '.bin');
  const host = start([join(home, 'flagwire'), 'host'], { PORT: '0', PATH: `${home}:${environment['PATH']}` });
  const { port } = await host.listening();
  expect(host.output).toContain('Bun is not installed, so this host runs on Node');
  expect((await fetch(`http://127.0.0.1:${port}/health/liveness`)).status).toBe(200);
  expect(await host.stop('SIGTERM')).toBe(0);
  await expect(fetch(`http://127.0.0.1:${port}/health/liveness`)).rejects.toThrow();
});

test('completion finds the names of flags', async () => {
  writeFileSync(join(folder, 'completion.bash'), (await flagwire('flags', 'completion', 'bash')).stdout);
  const { stdout } = await user.run('bash', '-c', 'source ./completion.bash && _flagwire_names flags new-c');
  expect(stdout.trim()).toBe('new-checkout');
});

test('every command names itself as it is called', async () => {
  expect((await flagwire('--version')).stdout.trim()).toBe(packageJson.version);
  const { stdout: help } = await flagwire('--help');
  const [, listed = ''] = /Commands:\n(.*?)\n\n/s.exec(help) ?? [];
  const commands = [...listed.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
  expect(commands).toEqual(['start', 'flags', 'console', 'host', 'cost', 'deploy']);
  for (const name of commands) {
    const { stdout, code } = await flagwire(name, '--help');
    expect({ name, code }).toEqual({ name, code: 0 });
    expect(stdout).toMatch(new RegExp(`^Usage: npx flagwire ${name} `));
    expect(stdout).not.toMatch(/npm (run (flags|console|host|cost)|start)/);
  }
  expect(await flagwire('no-such-command')).toMatchObject({ code: 2, stdout: '' });
});

test('names no command that it lacks, except to deploy from a clone', () => {
  const home = join(folder, 'node_modules', 'flagwire');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  // Nobody reads the outputs of the emulated stack.
  const printed = files.filter((file) => /[.](js|json|html)$/.test(file) && !/^docs|templates[.]json$/.test(file));
  const text = printed.map((file) => readFileSync(join(home, file), 'utf8')).join('\n');
  const named = (pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort();
  expect(named(/\bnpm (?:run )?(start|(?<=run )[a-z]+)/g)).toEqual(['deploy']);
});

test('start emulates another account, and stops after npx was ended', async () => {
  const part = start(['npx', 'flagwire', 'start', '--port', '0', '--data', 'other', '--aws', 'raised']);
  await part.printed('100,000 requests/s');
  const [, http] = /HTTP +(\S+)/.exec(part.output) ?? [];
  expect((await fetch(`${http}/health/liveness`)).status).toBe(200);
  process.kill(part.pid, 'SIGTERM');
  await until(async () => !(await fetch(`${http}`).catch(() => undefined)));
});

test('cost computes a workload, writes the page, and refuses what needs a clone', async () => {
  const { stdout } = await flagwire('cost', '--preset', 'side-project');
  expect(stdout).toContain('one t2.micro');
  expect(stdout).toMatch(/^ +npx flagwire deploy --region us-east-1$/m);
  for (const line of stdout.match(/^ *npm run .*/gm) ?? []) expect(line).toMatch(/ {2}# in a clone of the repository$/);
  expect(stdout).not.toContain('prices refresh');
  expect(await flagwire('cost', '--preset', 'small-business', '--html', 'cost.html')).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, 'cost.html'), 'utf8')).toContain('"workload":{');
  expect(await flagwire('cost', 'prices', 'refresh')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs a clone'),
  });
});
