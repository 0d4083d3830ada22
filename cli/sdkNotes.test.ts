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
const RUST = expect.stringMatching(/^note: .* for Rust takes JSON objects only\. .*, as in flag "sizes", .* \(docs/);
const PYTHON = expect.stringMatching(
  /^note: .* Python and Java return .* Write 2\.0 for 2 in flag "limit", which has both/,
);

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

  test('comes with a JSON value that is a list', async () => {
    const create = ['create', 'sizes', '--type', 'json', '--variation', '{}'];
    expect(await notesOf(...create)).toEqual([]);
    expect(await notesOf('variation', 'add', 'sizes', ' [1, 2]')).toEqual([RUST]);
    expect(await notesOf('variation', 'add', 'sizes', '{"a":[]}')).toEqual([]);
    expect(await notesOf('create', 'text', '--type', 'string', '--variation', '[1]')).toEqual([]);
  });

  test('comes with a number flag of integers and fractions', async () => {
    const create = (key: string, ...values: string[]) =>
      notesOf('create', key, '--type', 'number', ...values.flatMap((value) => ['--variation', value]));
    expect(await create('integers', '1', '-2')).toEqual([]);
    expect(await create('floats', '1.5', '2.0', '1e3')).toEqual([]);
    expect(await create('limit', '1.5', '2')).toEqual([PYTHON]);
    expect(await notesOf('variation', 'add', 'limit', '3')).toEqual([PYTHON]);
    expect(await notesOf('on', 'limit')).toEqual([]);
  });

  test('comes with an import once for all documents, and is no warning to --strict', async () => {
    const rules = [{ ...aRule([aCondition('email', 'MatchRegex', '^a')]), ...aRollout(share('on')) }];
    const variations = [{ id: 'on', value: '[]' }];
    const flags = ['a', 'b', 'c', 'd', 'e'].map((key) =>
      aFlag({ key, variationType: 'json', variations, rules, disabledVariationId: 'on' }),
    );
    const file = join(cli.directory, 'flags.json');
    writeFileSync(file, JSON.stringify(flags));
    const named = expect.stringContaining('flag "a", flag "b", flag "c" and 2 more');
    expect(await notesOf('import', '--flags', file, '--dry-run')).toEqual([named, named]);
    expect(await notesOf('import', '--flags', file, '--strict')).toEqual([named, named]);
    expect(await notesOf('import', '--flags', file)).toEqual([]);
  });
});
