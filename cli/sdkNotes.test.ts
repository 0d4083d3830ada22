import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aCondition, aFlag, aRollout, aRule, share } from '../shared/testing/builders.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

/** The notes of a command that must succeed. */
async function notesOf(...argv: string[]): Promise<string[]> {
  const { code, err } = await cli.run(...argv);
  expect([argv, code]).toEqual([argv, 0]);
  return err.split('\n').filter((line) => line.startsWith('note: '));
}

/** A note on conditions of flag "price". */
const onPrice = (how: string) =>
  `note: FeatBit's server-side SDKs differ in the rules of flag "price": ${how} (docs/flags.md, "Differences between SDKs")`;
const NODE = onPrice('in Node, text and pattern are swapped; in Java, the whole text must match');

describe('a note on SDKs that differ', () => {
  test('comes with each condition on which SDKs differ when it is written, and not again', async () => {
    await cli.run('create', 'price');
    expect(await notesOf('rule', 'add', 'price', 'true', '--if', 'plan = pro')).toEqual([]);
    const digits = 'in Java, only digits are a number, without a sign or a fraction';
    expect(await notesOf('rule', 'add', 'price', 'true', '--if', 'age >= 18', '--name', 'Adults')).toEqual([
      onPrice(digits),
    ]);
    const [bound] = await notesOf('rule', 'edit', 'price', 'Adults', '--if', 'age >= 18', '--if', 'size < 1,000');
    expect(bound).toBe(onPrice('in Node, "1,000" is 1; in Python, Go, Java and Rust, "1,000" is no number'));
    expect(await notesOf('rule', 'remove', 'price', 'Adults')).toEqual([]);
    expect(await notesOf('rule', 'add', 'price', 'true', '--if', 'email matches ^a')).toEqual([NODE]);
    expect(await notesOf('on', 'price')).toEqual([]);
    expect(await notesOf('rule', 'edit', 'price', 'Rule 2', '--name', 'Staff')).toEqual([]);
    expect(await notesOf('rule', 'edit', 'price', 'Staff', '--if', 'email not matches ^b')).toEqual([NODE]);
    expect(await notesOf('rule', 'remove', 'price', 'Staff')).toEqual([]);
  });

  test('comes with such a rule of a segment, by its name', async () => {
    await cli.run('segment', 'create', 'Beta');
    const [note] = await notesOf('segment', 'rule', 'add', 'Beta', '--if', 'email matches ^a');
    expect(note).toContain('the rules of segment "Beta": in Node, ');
    await cli.run('create', 'price');
    expect(await notesOf('rule', 'add', 'price', 'true', '--if', 'in segment Beta')).toEqual([]);
  });

  test('comes with an import once for all documents, and is no warning to --strict', async () => {
    const rules = [{ ...aRule([aCondition('email', 'MatchRegex', '^a')]), ...aRollout(share('on')) }];
    const flags = ['a', 'b', 'c', 'd', 'e'].map((key) => aFlag({ key, rules }));
    const file = join(cli.directory, 'flags.json');
    writeFileSync(file, JSON.stringify(flags));
    const named = expect.stringContaining('flag "a", flag "b", flag "c" and 2 more');
    expect(await notesOf('import', '--from', 'featbit', file, '--dry-run')).toEqual([named]);
    expect(await notesOf('import', '--from', 'featbit', file, '--strict')).toEqual([named]);
    expect(await notesOf('import', '--from', 'featbit', file)).toEqual([]);
  });
});
