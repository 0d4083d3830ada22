import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

/** The times of the changes, newest first. */
const times = async () => (await cli.run('history', '--json')).json.map(({ at }: { at: string }) => at);
const evaluateAt = (at: string, ...rest: string[]) => cli.run('evaluate', ...rest, '--user', 'ann', '--at', at);

test('an evaluation names the SDKs on servers that give another result', async () => {
  await cli.run('create', 'f', '--on');
  await cli.run('create', 'g', '--on');
  await cli.run('rule', 'add', 'f', 'false', '--if', 'age < 18', '--if', 'plan = pro');
  const asked = ['--user', 'ann', '--attr', 'age=17.5', '--attr', 'plan=pro'];
  const difference = 'age < 18: in Java, "17.5" is no number: it does not match';
  expect(await cli.run('evaluate', 'f', ...asked)).toMatchObject({
    out: expect.stringMatching(/^false \(Rule 1\)/),
    err: `note: server-side SDKs differ in ${difference}`,
  });
  expect((await cli.run('evaluate', ...asked)).err).toBe(
    'note: server-side SDKs differ in f; evaluate one flag to see how',
  );
  const [f, g] = (await cli.run('evaluate', ...asked, '--json')).json;
  expect([f.sdkDifferences, g.sdkDifferences]).toEqual([[difference], undefined]);
});

test.each([
  ['boolean', 'true', 'true'],
  ['number', '12.5', '12.5'],
  ['number', '1.0', '1.0'],
  ['number', '12345678901234567890', '12345678901234567890'],
  ['json', '{"perMinute":600,"plan":["pro"]}', '{"perMinute":600,"plan":["pro"]}'],
  ['string', 'true', '"true"'],
  ['string', '1', '"1"'],
])('--json writes the value of a %s flag as its type: %s', async (type, value, written) => {
  const other = { boolean: 'false', number: '0', json: '{}' }[type] ?? 'other';
  await cli.run('create', 'f', '--on', '--type', type, '--variation', value, '--variation', other);
  const { out } = await cli.run('evaluate', 'f', '--user', 'ann', '--json');
  const [, shown = ''] = /"value": (.*?),\n {2}"/s.exec(out) ?? [];
  // Node 20 cannot write all digits of a number.
  const expected =
    'rawJSON' in JSON ? written : isExact(written) ? JSON.stringify(JSON.parse(written)) : `"${written}"`;
  expect(shown.replaceAll(/\s/g, '')).toBe(expected);
});

const isExact = (json: string) => !/\d{16}/.test(json);

describe('an evaluation in the past', () => {
  test('uses the flags and segments of that time', async () => {
    await cli.run('segment', 'create', 'Beta');
    await cli.run('create', 'f');
    await cli.run('on', 'f');
    await cli.run('rule', 'add', 'f', 'false', '--if', 'in segment Beta');
    await cli.run('segment', 'include', 'Beta', 'ann');
    const [included = '', ruled = '', on = '', created = '', first = ''] = await times();
    const before = new Date(Date.parse(first) - 1).toISOString();
    expect((await evaluateAt(included, 'f')).out).toMatch(/^false \(Rule 1\)\n.*\(Beta includes the user\)$/);
    expect((await evaluateAt(ruled, 'f')).out).toMatch(/^true \(default\)\n.*\(Beta does not include the user\)/);
    expect((await evaluateAt(on, 'f')).out).toBe('true (default)\n  the flag has no rules');
    expect(await evaluateAt(created, 'f')).toMatchObject({
      out: 'false (flag disabled)\n  the flag is off',
      err: expect.stringMatching(`^state at ${created}, changed \\S+ \\d\\d:\\d\\d`),
    });
    expect((await evaluateAt(created, '--json')).json).toMatchObject([
      { key: 'f', value: false, at: created, version: expect.stringMatching(/^2.*Z$/) },
    ]);
    expect(await evaluateAt(before)).toMatchObject({
      out: 'there were no flags',
      err: `state at ${before}: before the first change`,
    });
    expect(await evaluateAt(before, 'f')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`there was no flag "f" at ${before}; \`history f\` shows its changes`),
    });
  });

  test('contains a flag that was deleted later, and none that is not created yet', async () => {
    await cli.run('create', 'f');
    await cli.run('delete', 'f');
    await cli.run('create', 'g');
    const [, deleted = '', created = ''] = await times();
    expect((await evaluateAt(created, '--json')).json).toMatchObject([{ key: 'f' }]);
    expect((await evaluateAt(deleted, '--json')).json).toEqual([]);
    expect((await evaluateAt(deleted, 'f')).code).toBe(1);
  });

  test('needs a time that is not in the future', async () => {
    expect(await evaluateAt('yesterday')).toMatchObject({
      code: 2,
      err: expect.stringContaining('"yesterday" is not a date and time, such as'),
    });
    expect(await evaluateAt('2100-01-01T00:00:00Z')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the time is in the future'),
    });
  });
});
