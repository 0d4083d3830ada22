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
      err: expect.stringMatching(`^state at ${created}: version 2`),
    });
    expect((await evaluateAt(created, '--json')).json).toMatchObject([
      { key: 'f', value: 'false', at: created, version: expect.stringMatching(/^2.*Z$/) },
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
      err: expect.stringContaining('"yesterday" is not a date and time; write it as'),
    });
    expect(await evaluateAt('2100-01-01T00:00:00Z')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the time is in the future'),
    });
  });
});
