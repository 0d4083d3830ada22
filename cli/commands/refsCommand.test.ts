import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeWith } from '../../dev/support/jest/describeWith.ts';
import { program } from '../../dev/support/requirement.ts';
import { TestCli } from '../testing/cli.ts';

const describeWithGit = await describeWith(program('git'));

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
  for (const key of ['new-checkout', 'unused', 'old', 'gone', 'rest']) await cli.run('create', key);
  await cli.run('archive', 'old', 'rest');
  await cli.run('delete', 'gone');
});
afterEach(() => cli.close());

const CODE = {
  'src/my app.ts': `const on = await client.boolVariation('new-checkout', user, false);\n\nif (await client.getBooleanValue(\n  'typo',\n  false)) old();\n`,
  'src/gone.py': `get().variation("gone", user)\n`,
  'dist/app.js': `x("unused")\n`,
};

/** Writes files and lets git track them. */
function commit(files: Readonly<Record<string, string | Buffer>>, folder = cli.directory): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  execFileSync('git', ['init', '-q'], { cwd: folder });
  execFileSync('git', ['add', '.'], { cwd: folder });
}

describeWithGit('refs', () => {
  test('searches the folder that is named, in a hook of another repository too', async () => {
    commit(CODE);
    const other = join(cli.directory, '..', `${basename(cli.directory)}-other`);
    commit({ 'a.js': 'nothing' }, other);
    const variables = {
      GIT_DIR: join(other, '.git'),
      GIT_INDEX_FILE: join(other, '.git', 'index'),
      GIT_WORK_TREE: other,
    };
    Object.assign(process.env, variables);
    try {
      for (const path of ['.', 'src', 'src/my app.ts']) {
        expect((await cli.run('refs', path)).out).toMatch(/new-checkout.*1.*src\/my app.ts:1/);
      }
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
      rmSync(other, { recursive: true });
    }
  });

  test('shows references, missing references, those of archived flags, and unknown keys', async () => {
    commit(CODE);
    const { code, out, err } = await cli.run('refs', ':!dist');
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/new-checkout.*1.*src\/my app.ts:1/);
    expect(out.slice(out.indexOf('A flag'))).toBe(
      [
        'A flag has no references:',
        '  flag "unused" has no references',
        'An archived flag has references:',
        '  flag "old" is archived (src/my app.ts:5)',
        'A call of an SDK has a key that no flag has:',
        '  flag "gone" was deleted (src/gone.py:1)',
        '  there is no flag "typo" (src/my app.ts:4)',
      ].join('\n'),
    );
    expect((await cli.run('refs', ':!dist', '--fail')).code).toBe(1);
  });

  test('shows a key or flag with several references in one line', async () => {
    const calls = Array.from({ length: 7 }, () => `client.boolVariation('typo', user, false);`);
    commit({ 'a.ts': calls.join('\n'), 'b.ts': 'old\nold' });
    const { out } = await cli.run('refs');
    expect(out).toContain('\n  flag "old" is archived (b.ts:1, b.ts:2)\n');
    expect(out).toMatch(/\n {2}there is no flag "typo" \(a\.ts:1, a\.ts:2, a\.ts:3, a\.ts:4, a\.ts:5, and 2 more\)$/);
  });

  test('has a result as JSON', async () => {
    commit(CODE);
    const { json } = await cli.run('refs', '--json', '--fail', 'dist');
    expect(json).toMatchObject({
      flags: [
        { key: 'new-checkout', isArchived: false, count: 0, references: [] },
        { key: 'old', isArchived: true, count: 0 },
        { key: 'rest', isArchived: true, count: 0 },
        { key: 'unused', count: 1, references: [{ file: 'dist/app.js', line: 1 }] },
      ],
      unknown: [],
      unlisted: 0,
      findings: [{ kind: 'flag-without-references', message: 'flag "new-checkout" has no references' }],
    });
  });

  test('succeeds with --fail if there is no finding', async () => {
    commit({ 'app.ts': `f('new-checkout', 'unused')` });
    expect((await cli.run('refs', '--fail')).code).toBe(0);
  });
});

describeWithGit('the searched files', () => {
  const filesOf = async (...paths: string[]) => {
    const { json } = await cli.run('refs', ...paths, '--json');
    return json.flags
      .flatMap(({ references }: { references: { file: string }[] }) => references.map(({ file }) => file))
      .toSorted();
  };

  test('are those that git tracks, as they are now, without binary files', async () => {
    commit({
      'a.ts': 'unused',
      'b.bin': Buffer.from('unused\0unused'),
      'c.ts': '',
      'd\nd.ts': 'unused',
      '.gitignore': 'ignored.ts',
      'ignored.ts': 'unused',
      'crlf.ts': 'x\r\nunused\r\n',
    });
    writeFileSync(join(cli.directory, 'c.ts'), 'unused, after the last commit');
    writeFileSync(join(cli.directory, 'untracked.ts'), 'unused');
    expect(await filesOf()).toEqual(['a.ts', 'c.ts', 'crlf.ts', 'd\nd.ts']);
  });

  test('are in the given folders and files of one repository, also of another one', async () => {
    const other = join(cli.directory, 'other');
    commit({ 'src/a.ts': 'unused', 'src/[b].ts': 'unused', 'src/b.ts': 'unused', 'c.ts': 'unused' }, other);
    symlinkSync(other, join(cli.directory, 'link'));
    expect(await filesOf('other')).toEqual(['c.ts', 'src/[b].ts', 'src/a.ts', 'src/b.ts']);
    expect(await filesOf('link/src/[b].ts', 'other/c.ts')).toEqual(['c.ts', 'src/[b].ts']);
    expect(await filesOf('other', ':!src')).toEqual(['c.ts']);
    commit({}, join(cli.directory, 'dist'));
    expect(await cli.run('refs', 'other', 'dist')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^error: "\S+" is not in the git repository \S+other; run the command for each repository$/,
      ),
    });
  });

  test('can be none', async () => {
    commit({});
    expect((await cli.run('refs')).out).toContain('no flag has references');
  });

  test('must exist, in a repository', async () => {
    expect(await cli.run('refs')).toMatchObject({
      code: 1,
      err: expect.stringContaining('this is not a git repository; run the command in the repository of your code'),
    });
    expect((await cli.run('refs', 'nowhere')).err).toBe('error: there is no file or folder "nowhere"');
    commit({});
    expect((await cli.run('refs', ':(odd)x')).err).toMatch(/^error: git failed: fatal: .*odd/);
  });

  test('need git', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '';
    try {
      expect(await cli.run('refs')).toMatchObject({
        code: 1,
        err: 'error: git is not installed, or not on the PATH; install git, which this command searches the code with',
      });
    } finally {
      process.env['PATH'] = path;
    }
  });

  test('may be large up to a limit, in one line too', async () => {
    commit({ 'a.js': `${'x'.repeat(1_000_000)} unused`, 'b.js': '' });
    expect(await filesOf()).toEqual(['a.js']);
    truncateSync(join(cli.directory, 'b.js'), 300_000_000);
    expect(await cli.run('refs')).toMatchObject({
      code: 1,
      err: `error: b.js is larger than 256 MB; leave it out with ':!b.js'`,
    });
    expect((await cli.run('refs', ':!b.js')).code).toBe(0);
  });
});
