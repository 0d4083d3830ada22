import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { describeMutant } from './survivors.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-survivors-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a mutant is described by its place, what was there and what took its place', () => {
  const fileName = join(directory, 'source.ts');
  writeFileSync(fileName, 'one\nif (a < b) {\n  c();\n}\n');
  const mutant = { id: '1', fileName, mutatorName: '', status: 'Survived' } as const;
  const inLine = { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } };
  expect(describeMutant({ ...mutant, location: inLine, replacement: 'a <= b' })).toBe(
    `Survived: ${fileName}:2\n- a < b\n+ a <= b`,
  );
  const inLines = { start: { line: 2, column: 12 }, end: { line: 4, column: 2 } };
  expect(describeMutant({ ...mutant, location: inLines, replacement: '{}' })).toBe(
    `Survived: ${fileName}:2\n- {\n  c();\n}\n+ {}`,
  );
});
