import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';
import { formatInfo, type RunInfo } from '../../measure/runInfo.ts';
import { makeSection } from '../../report/document.ts';
import { sectionsAsMarkdown, withFigures } from '../../report/write.ts';
import type { Result } from '../benchmark.ts';

/** The file with the results on the page, from the root of the repository. */
export const RESULTS = 'docs/results/front-door.json';
const PAGE = join(repositoryRoot, 'docs/results/front-door.md');

/** Writes the results to the page. The text outside the marks stays. */
export function writePage(): void {
  writeFileSync(PAGE, renderPage(readFileSync(PAGE, 'utf8')));
}

/** The page with the results between its marks. */
export function renderPage(page: string): string {
  const { stamp, results }: { readonly stamp: RunInfo; readonly results: readonly Result[] } = JSON.parse(
    readFileSync(join(repositoryRoot, RESULTS), 'utf8'),
  );
  const sections = results.map(({ title, head, rows }) =>
    makeSection(title, { tables: [{ head, rows }], notes: [formatInfo(stamp)] }),
  );
  return withFigures(page, sectionsAsMarkdown(sections).join('\n\n'));
}
