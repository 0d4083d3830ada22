import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeAll(async () => {
  cli = await TestCli.start();
  for (const line of [
    ['env', 'create', 'shop'],
    ['create', 'new-checkout', '--name', 'Checkout in one step', '--on'],
    ['create', 'old-checkout'],
    ['create', 'banner', '--type', 'json', '--variation', '{}', '--variation', '{"a":1}'],
    ['create', 'gone'],
    ['archive', 'gone'],
    ['tag', 'new-checkout', 'banner', '--tag', 'web', '--tag', 'shop'],
    ['tag', 'old-checkout', '--tag', 'shop'],
    ['describe', 'banner', 'What is on top of every page'],
  ]) {
    expect(await cli.run(...line)).toMatchObject({ code: 0 });
  }
});
afterAll(() => cli.close());

test.each([
  ['', ['banner', 'new-checkout', 'old-checkout']],
  ['--archived', ['banner', 'gone', 'new-checkout', 'old-checkout']],
  ['--state archived', ['gone']],
  ['--state on', ['new-checkout']],
  ['--state off', ['banner', 'old-checkout']],
  ['--type json', ['banner']],
  ['--tag shop', ['banner', 'new-checkout', 'old-checkout']],
  ['--tag shop --tag web', ['banner', 'new-checkout']],
  ['--search CHECKOUT', ['new-checkout', 'old-checkout']],
  ['--search checkout,one', []],
  ['--search top', ['banner']],
  ['--search web --state on', ['new-checkout']],
  ['--search checkout --type json', []],
])('list %s', async (options, expected) => {
  const words = options.split(' ').filter((word) => word !== '');
  const { json } = await cli.run('list', ...words, '--json');
  expect(json.map(({ key }: { key: string }) => key).toSorted()).toEqual(expected);
});

test('all words of a search must be found; that none is found is said', async () => {
  expect((await cli.run('list', '--search', 'checkout one', '--json')).json).toMatchObject([{ key: 'new-checkout' }]);
  expect((await cli.run('list', '--search', 'nothing')).out).toBe('no flag matches');
  expect(await cli.run('list', '--state', 'broken')).toMatchObject({
    code: 2,
    err: expect.stringContaining('archived'),
  });
});
