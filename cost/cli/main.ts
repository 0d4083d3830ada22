import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ignoreBrokenPipe } from '../../shared/command/brokenPipe.ts';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import { renderCsv } from '../model/csv.ts';
import { reportOn } from '../model/report.ts';
import { WorkloadError } from '../model/workload.ts';
import { readOptions } from './options.ts';
import { renderText } from './text.ts';

/** `npm run cost`. */
ignoreBrokenPipe();
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof WorkloadError)) throw error;
  console.error(`cost: ${error.message}`);
  process.exitCode = 1;
}

async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const { workload, title, levers, html, json, csv } = options;
  if (options.actual) {
    const { showActual } = await import('../actual/main.ts');
    return showActual(options);
  }
  const all = rangesFrom(readMeasured());
  if (html !== undefined) {
    const { renderPage } = await import('../page/render.ts');
    const path = resolve(html);
    writeFileSync(path, await renderPage({ ranges: all, workload, levers }));
    return console.error(`wrote ${path}; open it in a browser, it needs no network`);
  }
  const report = reportOn(workload, rangesOf(all), { levers });
  if (csv) return console.log(renderCsv(report));
  console.log(json ? JSON.stringify({ title, ...report, assumptions: all }, null, 2) : renderText(report, title));
}
