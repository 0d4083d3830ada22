import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { lintTemplates } from './cfnLint.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-test-'));
const templates = { 'A-(dev)': { Resources: {} }, B: { Resources: { Table: { Type: 'AWS::DynamoDB::Table' } } } };

afterAll(() => rmSync(directory, { recursive: true }));

describe('linting templates', () => {
  test('has no findings when cfn-lint ends well', async () => {
    expect(await lintTemplates(command('exit 0'), templates)).toEqual([]);
  });

  test('hands in every template by its name, as a file', async () => {
    const listing =
      'for file; do case "$file" in *.json) echo "$file $(cat "$file" | tr -d " \\n")";; esac; done; exit 2';
    expect(await lintTemplates(command(listing), templates)).toEqual([
      'A-(dev).json {"Resources":{}}',
      'B.json {"Resources":{"Table":{"Type":"AWS::DynamoDB::Table"}}}',
    ]);
  });

  test.each([2, 4, 6, 14])('returns what was printed with exit code %i', async (code) => {
    const finding = `case "$*" in *B.json*) echo "B.json:1: E3002"; exit ${code};; esac`;
    expect(await lintTemplates(command(finding), templates)).toEqual(['B.json:1: E3002']);
  });

  test('tells a crash from a finding', async () => {
    const crash = lintTemplates(command('echo "no such option" >&2; exit 1'), templates);
    await expect(crash).rejects.toThrow('cfn-lint could not be run: no such option');
    await expect(lintTemplates(join(directory, 'nothing'), templates)).rejects.toThrow(/could not be run: .*ENOENT/);
  });

  test('leaves no file behind', async () => {
    const [where = ''] = await lintTemplates(command('pwd; exit 2'), templates);
    expect(where).toMatch(/flagwire-lint-/);
    expect(existsSync(where)).toBe(false);
  });
});

/** A fake cfn-lint. */
function command(script: string): string {
  const path = join(directory, `command-${readdirSync(directory).length}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
