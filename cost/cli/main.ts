import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Option } from 'commander';
import { ignoreBrokenPipe } from '../../shared/command/brokenPipe.ts';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import { renderCsv } from '../model/csv.ts';
import { reportOn } from '../model/report.ts';
import { WorkloadError } from '../model/workload.ts';
import { REGIONS } from '../prices/sheets.ts';
import { costCommand, type Options, readOptions } from './options.ts';
import { renderText } from './text.ts';

/** `npm run cost`. */
ignoreBrokenPipe();
const command = costCommand().enablePositionalOptions();
command.action(() => showCost(readOptions(command)));
command
  .command('docs')
  .description('write the tables of docs/cost.md')
  .action(async () => (await import('../docs/writeCostTables.ts')).writeCostTables());
command
  .command('prices')
  .description('the price sheets in cost/prices')
  .command('refresh')
  .description('compare every price with the AWS Price List, with your AWS credentials (pricing:GetProducts)')
  .addOption(new Option('--region <region>', 'one sheet only').choices([...REGIONS]))
  .option('--write', 'take over what was found; without it nothing is changed')
  .action(async (options) => (await import('../refresh/refreshPrices.ts')).refreshPrices(options));
try {
  await command.parseAsync();
} catch (error) {
  if (!(error instanceof WorkloadError)) throw error;
  console.error(`cost: ${error.message}`);
  process.exitCode = 1;
}

async function showCost(options: Options): Promise<void> {
  const { workload, title, levers, html, json, csv } = options;
  if (options.actual) {
    const { showActual } = await import('../actual/showActual.ts');
    return showActual(options);
  }
  const all = rangesFrom(readMeasured());
  if (html !== undefined) {
    const { renderCostPage } = await import('../page/renderPage.ts');
    const path = resolve(html);
    writeFileSync(path, renderCostPage({ ranges: all, workload, levers }));
    return console.error(`wrote ${path}; open it in a browser, it needs no network`);
  }
  const report = reportOn(workload, rangesOf(all), { levers });
  if (csv) return console.log(renderCsv(report));
  console.log(json ? JSON.stringify({ title, ...report, assumptions: all }, null, 2) : renderText(report, title));
}
