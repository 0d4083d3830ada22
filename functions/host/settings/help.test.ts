import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { hostSettings } from './config.ts';
import { describeSettings } from './help.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'flagwire-help-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

function host(...argv: readonly string[]) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, '..', 'main.ts'), ...argv],
    {
      cwd,
      env: { FLAGS_TABLE: 'none', PORT: '0', AWS_REGION: 'us-east-1' },
      encoding: 'utf8',
      timeout: 60_000,
    },
  );
  return { stdout, stderr, status };
}

describe('npm run host', () => {
  test('--help names every setting and starts nothing', () => {
    const { stdout, status } = host('--help');
    expect(status).toBe(0);
    expect(stdout).toContain('Usage: npm run host --');
    const words = (text: string) => text.replace(/\s+/g, ' ');
    expect(words(stdout)).toContain(words(describeSettings(hostSettings.shape)));
    expect(stdout).not.toContain('listening');
  });

  test.each([['--port'], ['5200']])('refuses the argument %s', (argument) => {
    const { stdout, stderr, status } = host(argument);
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain('error: ');
  });
});

describe('the help on settings', () => {
  test('has meaning, choices and default of each', () => {
    const settings = {
      NAME: z.string().describe('a name'),
      WAIT_MS: z.coerce.number().default(50).describe('milliseconds to wait'),
      KIND: z.enum(['a', 'b']).default('a').describe('the kind'),
      FILE: z.string().optional().describe('a file'),
    };
    expect(describeSettings(settings).split('\n')).toEqual([
      '  NAME     a name (required)',
      '  WAIT_MS  milliseconds to wait (default: 50)',
      '  KIND     the kind (a or b, default: a)',
      '  FILE     a file (default: none)',
    ]);
  });

  test('leaves no setting of the host without a meaning', () => {
    for (const setting of Object.values(hostSettings.shape)) expect(setting.description).toEqual(expect.any(String));
  });
});
