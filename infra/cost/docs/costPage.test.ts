import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { costPage } from './costPage.ts';

test('docs/cost.md says what the model says; `npm run cost:docs` writes it anew', () => {
  const written = readFileSync(join(import.meta.dirname, '../../../docs/cost.md'), 'utf8');
  expect(written).toBe(costPage(rangesFrom(readMeasured())));
});
