import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import type { Settings } from './config/settingsSchema.ts';
import { repositoryRoot } from './repository.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const directory = mkdtempSync(join(tmpdir(), 'flagwire-test-'));

afterAll(() => rmSync(directory, { recursive: true }));

describe('the app, run as the cdk command runs it', () => {
  test('prints where the settings come from, and makes the templates', async () => {
    const { code, stdout, stderr, outdir } = await run({ stage: 'prod' }, { throttlingRate: 70 });
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^No AWS credentials or region: .*\nSettings: flagwire\.prod\.json, and defaults for the rest\.\n$/,
    );
    expect(readdirSync(outdir)).toContain('Flagwire-prod-Serverless.template.json');
  });

  // What else is refused, and how: config/config.test.ts.
  test('says in one line what is wrong with the context, and makes nothing', async () => {
    const { code, stdout, stderr, outdir } = await run({ stage: 'prod', 'flagwire:domainName': 'flags.example.com' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Context flagwire:domainName sets nothing: write domain\.name into flagwire\.prod\.json, .*\n$/,
    );
    expect(readdirSync(outdir).filter((name) => name.endsWith('.template.json'))).toEqual([]);
  });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly outdir: string;
}

/** The cdk command hands context and output directory to the app in the environment. */
function run(context: Readonly<Record<string, unknown>>, settings: Settings = {}): Promise<Outcome> {
  const outdir = mkdtempSync(join(directory, 'out-'));
  const workspace = mkdtempSync(join(directory, 'workspace-'));
  writeFileSync(join(workspace, 'flagwire.prod.json'), JSON.stringify(settings));
  const env = {
    PATH: process.env['PATH'],
    // Templates are validated elsewhere (dev/verify/checks), which takes longer than to make them.
    CDK_VALIDATION: 'false',
    CDK_OUTDIR: outdir,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'aws:cdk:bundling-stacks': [] }),
  };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(repositoryRoot, 'infra/app.ts')],
      { cwd: workspace, env },
      (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr, outdir });
      },
    );
  });
}
