import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { costPage } from './costPage.ts';

test.each([['cost.md', costPage]])(
  'docs/%s says what the model says; `npm run cost:docs` writes it anew',
  (name, page) => {
    const written = readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
    expect(written).toBe(page(rangesFrom(readMeasured())));
  },
);
