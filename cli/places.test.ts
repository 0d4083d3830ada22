import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { announcementPath } from '../shared/runtime/announcement.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(async () => {
  delete process.env['FLAGWIRE_ENV'];
  await cli.close();
});

test('names the environment in results, and with --verbose the table', async () => {
  const table = process.env['FLAGS_TABLE'];
  for (const argv of [
    ['create', 'f'],
    ['toggle', 'f'],
    ['segment', 'create', 's'],
    ['secret', 'create', 'mobile', '--type', 'client'],
    ['secret', 'revoke', 'mobile'],
  ]) {
    expect((await cli.run(...argv)).out.split('\n')[0]).toMatch(/^✓ .* in shop$/);
  }
  for (const argv of [
    ['create', 'g', '--verbose'],
    ['secret', 'create', 'tv', '--type', 'client', '--verbose'],
  ]) {
    expect((await cli.run(...argv)).out).toMatch(new RegExp(`^✓ .* in shop \\((version \\S+Z, )?table ${table}\\)`));
  }
  expect((await cli.run('env', 'create', 'other', '--verbose')).out).toContain(`(table ${table})`);
});

test('FLAGWIRE_ENV chooses the environment unless --env does', async () => {
  await cli.run('env', 'create', 'other');
  process.env['FLAGWIRE_ENV'] = 'other';
  expect((await cli.run('create', 'f')).out).toMatch(/ in other$/);
  expect((await cli.run('create', 'f', '--env', 'shop')).out).toMatch(/ in shop$/);
});

test('env use chooses the environment of a folder, after FLAGWIRE_ENV and --env', async () => {
  await cli.run('env', 'create', 'other');
  expect(await cli.run('env', 'use', 'nowhere')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no environment "nowhere"'),
  });
  expect((await cli.run('list')).err).toMatch(
    /choose one with --env, or for this folder with: npm run flags -- env use <environment>\. Environments: other, shop$/,
  );
  expect((await cli.run('env', 'use', 'other')).out).toBe(
    `commands in this folder use environment "other" unless --env or FLAGWIRE_ENV names another (.flagwire.json)`,
  );
  expect((await cli.run('create', 'f')).out).toMatch(/ in other$/);
  process.env['FLAGWIRE_ENV'] = 'shop';
  expect((await cli.run('create', 'f')).out).toMatch(/ in shop$/);
  delete process.env['FLAGWIRE_ENV'];
  expect((await cli.run('on', 'f', '--env', 'shop')).out).toMatch(/ in shop$/);
  expect((await cli.run('env', 'use')).code).toBe(2);
  expect((await cli.run('create', 'g')).out).toMatch(/ in other$/);
  rmSync('.flagwire.json');
  expect((await cli.run('list')).err).toContain('there are several environments');
});

test('an error names at most ten environments', async () => {
  for (let n = 0; n < 11; n++) await cli.run('env', 'create', `env-${n}`);
  expect((await cli.run('list')).err).toMatch(/and 2 more \(env list shows all\)$/);
});

test('names the file of a folder’s choice that is invalid or does not exist', async () => {
  const choice = (text: string) => writeFileSync('.flagwire.json', text);
  choice('{"environment": "gone"}');
  expect((await cli.run('list')).err).toBe(
    'error: there is no environment "gone"; `env list` shows those there are. .flagwire.json names it; choose another with: npm run flags -- env use <environment>',
  );
  for (const text of ['{"environment": ""}', '{"env": "shop"}', '[]', '{']) {
    choice(text);
    expect((await cli.run('list')).err).toContain('.flagwire.json must be {"environment": "<name or id>"}');
    expect((await cli.run('list', '--env', 'shop')).code).toBe(0);
  }
});

test('says which table it took where FLAGS_TABLE is set and a local server runs', async () => {
  expect((await cli.run('list', '--data', cli.directory)).err).toBe('');
  writeFileSync(announcementPath(cli.directory), JSON.stringify({ pid: process.pid }));
  expect((await cli.run('list', '--data', cli.directory)).err).toBe(
    `note: using table ${process.env['FLAGS_TABLE']} (FLAGS_TABLE), not the table of npm start in ${cli.directory}`,
  );
});

test('uses npm start as usual in a terminal with the variables for a function in Lambda', async () => {
  await cli.run('env', 'create', 'other');
  const { id } = (await cli.run('env', 'show', '--env', 'shop', '--json')).json;
  const { FLAGS_TABLE, AWS_ENDPOINT_URL_DYNAMODB, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  const announcement = {
    pid: process.pid,
    dynamoDbEndpoint: AWS_ENDPOINT_URL_DYNAMODB,
    flagsTable: FLAGS_TABLE,
    environment: { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
    defaultEnvironment: id,
  };
  writeFileSync(announcementPath(cli.directory), JSON.stringify(announcement));
  expect(await cli.run('create', 'f', '--data', cli.directory)).toMatchObject({
    err: '',
    out: expect.stringMatching(/ in shop$/),
  });
});

test('takes access key and URL of npm start, whatever AWS’s variables say', async () => {
  await cli.run('create', 'f');
  await cli.run('rollout', 'f', 'false');
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...rest } = process.env;
  const announcement = {
    pid: process.pid,
    dynamoDbEndpoint: rest['AWS_ENDPOINT_URL_DYNAMODB'],
    flagsTable: rest['FLAGS_TABLE'],
    httpUrl: 'http://127.0.0.1:5100',
    environment: { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY },
  };
  writeFileSync(announcementPath(cli.directory), JSON.stringify(announcement));
  const { FLAGS_TABLE: _, ...withoutTable } = process.env;
  process.env = { ...withoutTable, AWS_PROFILE: 'shop', AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
  const before = { ...process.env };
  expect(await cli.run('env', 'list', '--data', cli.directory)).toMatchObject({
    code: 0,
    out: expect.stringContaining('shop'),
  });
  const plan = ['plan', 'create', 'f', '--variation', 'true', '--step', '10%@+1h', '--webhook'];
  expect((await cli.run(...plan, '--data', cli.directory)).out).toContain('webhook: http://127.0.0.1:5100/guards/');
  // Of several environments, commands use the one that it announces.
  const announce = (defaultEnvironment: string) =>
    writeFileSync(announcementPath(cli.directory), JSON.stringify({ ...announcement, defaultEnvironment }));
  const { id } = (await cli.run('env', 'show', '--json', '--data', cli.directory)).json;
  announce(id);
  expect((await cli.run('env', 'create', 'other', '--data', cli.directory)).err).toBe('');
  expect((await cli.run('toggle', 'f', '--data', cli.directory)).out).toMatch(/ in shop$/);
  const history = (...more: string[]) => cli.run('history', 'f', '--limit', '1', '--data', cli.directory, ...more);
  expect((await history()).out).toMatch(/^\S+ \d\d:\d\d {2}you\n {2}toggle f\n/);
  expect((await history('--verbose')).out).not.toContain('you');
  announce('of a deleted environment');
  expect((await cli.run('list', '--data', cli.directory)).err).toContain('there are several environments');
  expect(process.env).toEqual(before);
  process.env = { ...rest, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
});

test('environments are cloned and compared', async () => {
  await cli.run('create', 'f');
  const clone = await cli.run('env', 'clone', 'shop', 'copy', '--json');
  expect(clone.json).toMatchObject({ name: 'copy', documents: 1, secrets: [{ type: 'server' }, { type: 'client' }] });
  expect((await cli.run('env', 'diff', 'shop', 'copy')).out).toBe('"shop" and "copy" have the same flags and segments');
  await cli.run('on', 'f', '--env', 'copy');
  await cli.run('create', 'g', '--env', 'copy');
  await cli.run('segment', 'create', 's', '--id', 's', '--env', 'shop');
  expect((await cli.run('env', 'diff', 'shop', 'copy')).out.split('\n').toSorted()).toEqual([
    'flag "f" Switch: off → on',
    'flag "g" is only in "copy"',
    'segment "s" is only in "shop"',
  ]);
  expect((await cli.run('env', 'clone', 'nowhere', 'x')).err).toContain('no environment "nowhere"');
  expect((await cli.run('env', 'list')).out).not.toContain(' x ');
});

test('a secret is known by its name, also while the one before it ends', async () => {
  const created = (await cli.run('secret', 'create', 'mobile', '--type', 'client', '--json')).json;
  const rotated = (await cli.run('secret', 'rotate', 'mobile', '--json')).json;
  expect(rotated.id).not.toBe(created.id);
  expect((await cli.run('secret', 'revoke', 'mobile', '--json')).json.id).toBe(rotated.id);
  await cli.run('secret', 'create', 'twin', '--type', 'client');
  await cli.run('secret', 'create', 'twin', '--type', 'client');
  expect(await cli.run('secret', 'revoke', 'twin')).toMatchObject({
    code: 1,
    err: expect.stringContaining('are named "twin"; use an id: '),
  });
});

test('a file that cannot be written leaves no part of it', async () => {
  const file = join(cli.directory, 'taken');
  mkdirSync(file);
  expect(await cli.run('export', '--output', file)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`${file} cannot be written`),
  });
  expect(existsSync(`${file}.part`)).toBe(false);
});
