import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeMutant } from './survivors.ts';

test('a mutant is described by its place, what was there and what took its place', () => {
  const source = 'one\nif (a < b) {\n  c();\n}\n';
  const mutant = { id: '1', fileName: resolve('shared/source.ts'), mutatorName: '', status: 'Survived' } as const;
  const inLine = { start: { line: 2, column: 5 }, end: { line: 2, column: 10 } };
  expect(describeMutant({ ...mutant, location: inLine, replacement: 'a <= b' }, source)).toBe(
    'Survived: shared/source.ts:2\n- a < b\n+ a <= b',
  );
  const inLines = { start: { line: 2, column: 12 }, end: { line: 4, column: 2 } };
  expect(describeMutant({ ...mutant, location: inLines, replacement: '{}' }, source)).toBe(
    'Survived: shared/source.ts:2\n- {\n  c();\n}\n+ {}',
  );
});
