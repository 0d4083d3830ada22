import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMeasured } from '../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../cost/assumptions/ranges.ts';
import { COST_TABLES, costFigure } from '../../cost/docs/costTables.ts';
import { repositoryFiles } from '../../dev/support/repositoryFiles.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import { renderCharts } from './charts.ts';
import { COMPARISON_TABLES, comparisonFigure } from './comparisonTables.ts';
import { FEATBIT_TABLES, shareOfT2, timesAsMany } from './featbitTables.ts';
import { LAMBDA_TABLES } from './lambdaTables.ts';
import { hasMarks, type Renderers, renderMarks } from './marks.ts';
import { PEERS_TABLES } from './peersTables.ts';
import { RELIABILITY_TABLES } from './reliabilityTables.ts';
import { originOf, readResults, resultFigure, threeDigits } from './results.ts';

const ranges = rangesFrom(readMeasured());

/** All tables by name. */
const TABLES: typeof COST_TABLES = {
  ...COST_TABLES,
  ...COMPARISON_TABLES,
  ...FEATBIT_TABLES,
  ...LAMBDA_TABLES,
  ...PEERS_TABLES,
  ...RELIABILITY_TABLES,
};

/** Renders the marks of all pages from the results files and the cost model. */
export const RENDERERS: Renderers = {
  table: (name) => {
    const table = TABLES[name];
    if (!table) throw new Error(`there is no table named ${name}`);
    return table(ranges);
  },
  figure: (expression) => {
    const [kind, name = ''] = expression.split(':');
    if (kind === 'origin') return renderOrigin(name);
    if (kind === 'comparison') return comparisonFigure(name);
    if (kind === 'times') return timesAsMany(name);
    if (kind === 't2') return shareOfT2(name);
    if (kind === 'core') return threeDigits(ranges.t2CoreFactor[name === 'factor' ? 'low' : 'high']);
    return costFigure(expression, ranges) ?? resultFigure(expression);
  },
};

function renderOrigin(name: string): string {
  const { commit, at } = originOf(readResults(name));
  return `${at.slice(0, 10)}, commit ${commit.replaceAll(/[0-9a-f]{8,}/g, '`$&`')}`;
}

/** All pages with marks, and all charts, as they should be: `[path from the root, content]`. */
export function renderPages(): [path: string, content: string][] {
  const pages = repositoryFiles('**/*.md').map((path): [string, string] => [path, read(path)]);
  return [
    ...pages
      .filter(([, page]) => hasMarks(page))
      .map(([path, page]): [string, string] => [path, renderMarks(page, RENDERERS)]),
    ...renderCharts(ranges),
  ];
}

/** Writes the pages and charts that differ. @returns their paths */
export function writePages(): string[] {
  const changed = renderPages().filter(([path, content]) => content !== read(path));
  for (const [path, content] of changed) writeFileSync(join(repositoryRoot, path), content);
  return changed.map(([path]) => path);
}

function read(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8');
}
