import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readConfig } from './config/config.ts';
import { synthesizeTemplates, withSynthesized } from './inProcess.ts';
import { repositoryRoot } from './repository.ts';

describe('synthesizing in process', () => {
  const ownTmpdir = mkdtempSync(join(tmpdir(), 'flagwire-test-'));

  afterAll(() => rmSync(ownTmpdir, { recursive: true }));

  test('makes the three stacks of the stage', () => {
    const stacks = (stage: string) => ['Data', 'Serverless', 'Cost'].map((name) => `Flagwire-${stage}-${name}`);
    expect(Object.keys(synthesizeTemplates())).toEqual(stacks('dev'));
    expect(Object.keys(synthesizeTemplates(readConfig({ stage: 'prod' })))).toEqual(stacks('prod'));
  });

  test.each([
    ['dev', false],
    ['prod', true],
  ])('guards the stacks of %s against deletion: %s', (stage, isGuarded) => {
    const guards = withSynthesized(readConfig({ stage }), ({ assembly }) =>
      assembly.stacks.map(({ terminationProtection }) => terminationProtection === true),
    );
    expect(guards).toEqual([isGuarded, isGuarded, isGuarded]);
  });

  test('needs no environment and no other process, writes to the temporary directory only, and leaves nothing there', async () => {
    const script = `
      import { synthesizeTemplates } from './infra/inProcess.ts';
      console.log(Object.keys(synthesizeTemplates()).length);`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--permission', '--allow-fs-read=*', `--allow-fs-write=${ownTmpdir}`, '--input-type=module', '--eval', script],
      { cwd: repositoryRoot, env: { TMPDIR: ownTmpdir } },
    );
    expect({ stdout, stderr }).toEqual({ stdout: '3\n', stderr: '' });
    expect(readdirSync(ownTmpdir)).toEqual([]);
  });

  test('bundles nothing: a function has its entry in its metadata, and no code', () => {
    const functions = Object.values(synthesizeTemplates()['Flagwire-dev-Serverless']?.Resources ?? {}).filter(
      ({ Metadata }) => Metadata?.['flagwire:entry'],
    );
    expect(functions).toHaveLength(9);
    for (const { Properties } of functions) {
      expect(Properties?.['Code']).toEqual({ ZipFile: expect.stringMatching(/^\/\/ functions\/.*, not bundled$/) });
    }
  });

  test('names a region only if the configuration does', () => {
    expect(JSON.stringify(synthesizeTemplates())).not.toMatch(/[a-z]{2}-[a-z]+-\d\b/);
    const config = readConfig({ region: 'eu-central-1', account: '123456789012' });
    const pinned = JSON.stringify(synthesizeTemplates(config));
    expect(pinned).toContain('.execute-api.eu-central-1.');
    expect(pinned).toContain(':execute-api:eu-central-1:123456789012:');
  });

  test('comes to the same result every time', () => {
    expect(synthesizeTemplates()).toEqual(synthesizeTemplates());
  });
});
