import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import packageJson from '../../package.json' with { type: 'json' };
import { newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { environmentOf, testSystemEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { INSTALL_MS, OLDEST_NODE, UserFolder } from './testing/userFolder.ts';

const SDK = '@openfeature/server-sdk';
const user = new UserFolder();

/** The program on the page of the package. */
const page = readFileSync(join(import.meta.dirname, 'provider.md'), 'utf8');
const [, example = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
const calls = `${example}
const newCheckout = () => 'new';
const oldCheckout = () => 'old';
console.log(await handler({ userId: 'u1' }));
`;
const asCommonJs = `(async () => {${calls
  .replaceAll(/import (\{.*?\}) from ('.*?');/g, 'const $1 = require($2);')
  .replace('export const handler', 'const handler')}})();`;

useStore(testSystemEffects);

beforeAll(async () => {
  const sdk = [SDK, '@openfeature/core'].map((name) => `${name}@${packageJson.devDependencies[name as typeof SDK]}`);
  await user.install(await user.pack('flagwire-provider'), ...sdk, `node@${OLDEST_NODE}`);
  const envId = await newEnvironment();
  await store.documents.writeFlag(envId, 'new-checkout', () => aFlag({ key: 'new-checkout' }));
  const variables = {
    ...(await environmentOf(store.tables.client)),
    FLAGS_TABLE: store.tables.flags,
    FLAGS_ENVIRONMENT: envId,
  };
  user.write(
    '.env',
    Object.entries(variables)
      .map((each) => `${each.join('=')}\n`)
      .join(''),
  );
  user.write('app.mjs', calls);
  user.write('app.cjs', asCommonJs);
}, INSTALL_MS);

afterAll(() => user.remove());

test.each([
  ['app.mjs', process.execPath],
  ['app.cjs', process.execPath],
  ['app.mjs', join(user.path, 'node_modules', '.bin', 'node')],
  ['app.cjs', join(user.path, 'node_modules', '.bin', 'node')],
])('%s of its page evaluates a flag, on %s', async (app, node) => {
  expect(await user.run(node, '--env-file=.env', app)).toMatchObject({ stdout: 'new\n', stderr: '' });
});

test('has types for both kinds of modules, and no option of tests', async () => {
  const code = "import { FlagwireProvider } from 'flagwire-provider';\nnew FlagwireProvider({ maxAgeSeconds: 5 });\n";
  const wrong = `${code}new FlagwireProvider({ deps: {} });\n`;
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const check = (name: string, text: string) => {
    user.write(name, text);
    return user.run(process.execPath, tsc, '--noEmit', '--strict', '--module', 'nodenext', '--skipLibCheck', name);
  };
  for (const extension of ['mts', 'cts']) {
    expect(await check(`right.${extension}`, code)).toMatchObject({ stdout: '', code: 0 });
    expect((await check(`wrong.${extension}`, wrong)).stdout).toContain("'deps' does not exist");
  }
});
