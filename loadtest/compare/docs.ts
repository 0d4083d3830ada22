import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../infra/repository.ts';
import { colourNames, svgChart } from '../report/svgChart.ts';
import { figuresAsMarkdown, withFigures } from '../report/write.ts';
import { comparisonCharts } from './comparisonCharts.ts';
import { comparisonDocument } from './comparisonDocument.ts';
import { comparisonSchema } from './reportSchema.ts';

const PAGE = 'docs/results/comparison.md';
const RESULTS = 'docs/results/comparison/full.json';

const read = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8');

/** The page and the charts of the published results, as `[path from the root, content]`. */
export function renderDocs(): [path: string, content: string][] {
  const report = comparisonSchema.parse(JSON.parse(read(RESULTS)));
  const charts = comparisonCharts(report);
  const colours = colourNames(Object.values(charts));
  return [
    [PAGE, withFigures(read(PAGE), figuresAsMarkdown(comparisonDocument(report)))],
    ...Object.entries(charts).map(([name, chart]): [string, string] => [
      `docs/images/${name}.svg`,
      svgChart(chart, colours),
    ]),
  ];
}

/** Writes the page and the charts. */
export function writeDocs(): void {
  for (const [path, content] of renderDocs()) {
    writeFileSync(join(repositoryRoot, path), content);
    console.log(`wrote ${path}`);
  }
}
