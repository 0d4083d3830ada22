import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { formatTimestamp } from '../shared/flags/timestamp.ts';
import { aFlag, aRollout, aSegment, share } from '../shared/testing/builders.ts';
import { TestCli } from './testing/cli.ts';

const WARNING =
  /warning: with this change, environment "shop" takes 13\d{4} bytes .* is 131072 bytes.*poll over HTTP.*host/;

let cli: TestCli;
beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

/** Imports flags and two segments whose members have this number of characters. */
async function importWith(characters: number, ...options: string[]) {
  const file = (name: string) => join(cli.directory, name);
  const flags = Array.from({ length: 3 }, (_, n) => aFlag({ key: `f${n}`, description: 'd'.repeat(40_000) }));
  writeFileSync(file('flags.json'), JSON.stringify(flags));
  const included = Array.from({ length: characters / 100 }, (_, n) => String(n).padStart(97, '0'));
  const segments = ['s', 't'].map((id, n) =>
    aSegment({ id, updatedAt: formatTimestamp(n + 1), included: included.filter((_, index) => index % 2 === n) }),
  );
  writeFileSync(file('segments.json'), JSON.stringify(segments));
  return cli.run('import', file('flags.json'), file('segments.json'), '--from', 'featbit', ...options);
}

describe('an environment that outgrows one message', () => {
  test('is named by the import that makes it so, once, without fields that no SDK reads', async () => {
    expect((await importWith(100_000)).err).not.toContain('warning');
    const warningOf = ({ err }: { err: string }) => WARNING.exec(err)?.[0];
    const dry = warningOf(await importWith(130_000, '--dry-run'));
    expect(dry).toMatch(WARNING);
    const strict = await importWith(130_000, '--strict');
    expect([strict.code, strict.err]).toEqual([1, expect.stringMatching(/^error: 1 warning; nothing was imported\. /)]);
    expect(warningOf(strict)).toBe(dry);
    expect(warningOf(await importWith(130_000))).toBe(dry);
    expect((await importWith(131_000)).err).not.toMatch(WARNING);
  });

  test('is named by every other write that makes it so', async () => {
    await importWith(129_000);
    const values = (letter: string) => ['--type', 'string', '--variation', letter.repeat(2_000)];
    const made = await cli.run('create', 'large', ...values('a'));
    expect(made.err).toMatch(WARNING);
    expect(made.err.match(/warning/g)).toHaveLength(1);
    expect((await cli.run('create', 'larger', ...values('b'))).err).toBe('');
    expect((await cli.run('toggle', 'larger')).err).toBe('');
  });

  test('is named when a segment grows, and again after it was smaller', async () => {
    await importWith(129_000);
    const users = Array.from({ length: 40 }, (_, n) => `user-${n}`.padEnd(50, '.'));
    expect((await cli.run('segment', 'include', 's', ...users)).err).toMatch(WARNING);
    await importWith(100_000);
    expect((await importWith(130_000)).err).toMatch(WARNING);
  });
});

describe('a flag that is larger than one message', () => {
  const LARGE =
    /error: flag "large" takes 14\d{4} bytes in a message, more than the limit of 131072: .*nothing was written/;
  const value = 'x'.repeat(140_000);

  test('is refused when it is written', async () => {
    const { code, err } = await cli.run('create', 'large', '--type', 'string', '--variation', value);
    expect([code, err]).toEqual([1, expect.stringMatching(LARGE)]);
  });

  test.each([[], ['--strict'], ['--dry-run']])('is refused by an import %s', async (...options) => {
    const variations = [{ id: 'a', value }];
    const flag = aFlag({ key: 'large', variationType: 'string', variations, disabledVariationId: 'a' });
    const file = join(cli.directory, 'large.json');
    writeFileSync(file, JSON.stringify([{ ...flag, fallthrough: aRollout(share('a')) }]));
    const { code, err } = await cli.run('import', '--from', 'featbit', file, ...options);
    expect([code, err]).toEqual([1, expect.stringMatching(LARGE)]);
  });
});
