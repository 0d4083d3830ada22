import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await TestCli.start();
  for (const line of [
    ['env', 'create', 'shop'],
    ['create', 'new-checkout', '--name', 'New checkout', '--tag', 'web', '--on'],
    ['rule', 'add', 'new-checkout', 'true', '--name', 'Pro', '--if', 'plan = pro'],
    ['target', 'new-checkout', 'false', 'ann', 'bob'],
    ['rollout', 'new-checkout', 'true=25', 'false=75'],
  ])
    expect(await cli.run(...line)).toMatchObject({ code: 0 });
});
afterAll(() => cli.close());

test('shows a flag in words', async () => {
  const { out } = await cli.run('show', 'new-checkout');
  const lines = out.split('\n');
  expect(lines.slice(0, 6)).toEqual([
    'new-checkout\ton\tboolean\tweb\tNew checkout',
    'serves: 2 users, 1 rule, else true 25 %, false 75 %',
    'target: false to ann, bob',
    'rules, in order:',
    '1\tPro\tplan = pro\ttrue',
    'default rule: █████░░░░░░░░░░░░░░░ true 25 %, false 75 %',
  ]);
  expect(out).toMatch(/last change:\n {2}\S+Z {2}.*\n {2} {2}.*rollout new-checkout true=25 false=75/);
});

test('writes the stored flag with --json', async () => {
  expect((await cli.run('show', 'new-checkout', '--json')).json).toMatchObject({
    key: 'new-checkout',
    isEnabled: true,
  });
});

test('suggests a key that is similar', async () => {
  for (const command of ['show', 'toggle', 'archive']) {
    const { code, err } = await cli.run(command, 'new-chekout');
    expect([code, err]).toEqual([1, 'error: there is no flag "new-chekout". Did you mean "new-checkout"?']);
  }
  expect((await cli.run('rename', 'new-chekout', 'x')).err).toContain('Did you mean "new-checkout"?');
});
