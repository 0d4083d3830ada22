import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { snippetsFor } from './snippets.ts';

const place = {
  streamingUrl: 'ws://127.0.0.1:5100',
  httpUrl: 'http://127.0.0.1:5100',
  clientKey: 'the-client-key',
  serverKey: 'the-server-key',
  flagKey: 'my.flag',
};
const snippet = (title: string, changed = {}) => {
  const found = snippetsFor({ ...place, ...changed }).find((each) => each.title === title);
  if (!found) throw new Error(`there is no snippet for ${title}`);
  return found.code;
};

test('each holds the address, the key of its type and the flag', () => {
  for (const { title, code } of snippetsFor(place)) {
    const isClient = title === 'Browser' || title === 'React';
    expect([title, code.includes(place.httpUrl), code.includes('my.flag')]).toEqual([title, true, true]);
    expect([title, code.includes('the-client-key'), code.includes('the-server-key')]).toEqual([
      title,
      isClient,
      !isClient,
    ]);
  }
});

test.each(['Node', 'Browser', 'React', 'OpenFeature'])(
  'that for %s is JavaScript, whatever a text holds',
  async (title) => {
    const code = snippet(title, { serverKey: "a'b\\", clientKey: "a'b\\" });
    await expect(transform(code, { loader: 'jsx' })).resolves.toBeDefined();
  },
);

test('that for curl is one command of a shell, whatever a text holds', () => {
  const code = snippet('curl', { serverKey: `it's "$(id)"` }).replace(/^curl/, 'printf "%s\\n"');
  expect(execFileSync('sh', ['-c', code], { encoding: 'utf8' }).split('\n')).toContain(
    `Authorization: Bearer it's "$(id)"`,
  );
});
