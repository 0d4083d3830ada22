import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

test('a flag is duplicated with its settings, under a key that is free', async () => {
  await cli.run('create', 'f', '--on');
  await cli.run('rule', 'add', 'f', 'false', '--if', 'plan=pro');
  await cli.run('tag', 'f', 'checkout');
  expect((await cli.run('duplicate', 'f', 'g')).out).toMatch(/^✓ created flag "g" \(on\) from "f" in /);
  const [f, g] = [(await cli.run('show', 'f', '--json')).json, (await cli.run('show', 'g', '--json')).json];
  expect(g.id).not.toBe(f.id);
  expect(g).toEqual({ ...f, id: g.id, key: 'g', name: 'g', updatedAt: g.updatedAt });

  expect((await cli.run('duplicate', 'f', 'g')).err).toContain('flag "g" exists already');
  expect((await cli.run('duplicate', 'x', 'h')).err).toContain('there is no flag "x"');
  await cli.run('delete', 'g');
  expect((await cli.run('duplicate', 'f', 'g', '--name', 'Second')).code).toBe(0);
  expect((await cli.run('show', 'g', '--json')).json.name).toBe('Second');
  await cli.run('archive', 'f');
  expect((await cli.run('duplicate', 'f', 'h')).err).toContain('is archived; first: restore f');
});

test('a segment is duplicated with its users and rules, under a name that is free', async () => {
  await cli.run('segment', 'create', 'Beta', '--id', 'beta');
  await cli.run('segment', 'include', 'Beta', 'ann');
  expect((await cli.run('segment', 'duplicate', 'Beta', 'Gamma')).out).toMatch(
    /^✓ created segment "Gamma" from "Beta" in \w+$/,
  );
  const gamma = (await cli.run('segment', 'show', 'Gamma', '--json')).json;
  expect(gamma).toMatchObject({ name: 'Gamma', included: ['ann'] });
  expect(gamma.id).not.toBe('beta');
  expect((await cli.run('segment', 'duplicate', 'Beta', 'Gamma')).err).toContain('segment named "Gamma" already');
  expect((await cli.run('segment', 'duplicate', 'Alpha', 'Delta')).err).toContain('there is no segment "Alpha"');
});
