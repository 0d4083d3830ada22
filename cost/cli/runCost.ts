import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError, Option } from 'commander';
import { readMeasured } from '../assumptions/measured.ts';
import { rangesFrom } from '../assumptions/ranges.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import { reportOn } from '../model/report/report.ts';
import { WorkloadError } from '../model/workload/workload.ts';
import { REGIONS } from '../prices/sheets.ts';
import { costCommand, type Options, readOptions } from './options.ts';
import { renderSummary, renderText } from './text.ts';

/** Where a command line writes, a line or more at once. */
interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** Runs a command line of `npm run cost`. @param argv its arguments @returns its exit code: 0 done, 1 failed, 2 invalid arguments */
export async function runCost(argv: readonly string[], output: Output): Promise<number> {
  const command = costCommand()
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      writeErr: (text) => output.err(text.trimEnd()),
    });
  command.action(() => showCost(readOptions(command), output));
  command
    .command('prices')
    .description('commands for the price sheets in cost/prices')
    .command('refresh')
    .description('compare every price with the AWS Price List; needs AWS credentials (pricing:GetProducts)')
    .addOption(new Option('--region <region>', 'compare one sheet only').choices([...REGIONS]))
    .option('--write', 'write the prices found to the sheets; by default nothing is written')
    .action(async (options) => (await import('../refresh/refreshPrices.ts')).refreshPrices(options));
  try {
    await command.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already written the error or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof WorkloadError)) throw error;
    output.err(`cost: ${error.message}`);
    return 2;
  }
}

async function showCost(
  { workload, title, levers, html, json, all: isWhole }: Options,
  { out, err }: Output,
): Promise<void> {
  const all = rangesFrom(readMeasured());
  if (html !== undefined) {
    const { renderCostPage } = await import('../page/renderPage.ts');
    const path = resolve(html);
    writeFileSync(path, renderCostPage({ ranges: all, workload, levers }));
    return err(`wrote ${path}: open it in a browser; it needs no network`);
  }
  if (workload.connections === 0) {
    err(
      'note: this is the cost without connections. Set --connections <number> or --preset <name>; --help lists all options',
    );
  }
  const report = reportOn(workload, rangesOf(all), { levers });
  const render = isWhole ? renderText : renderSummary;
  out(json ? JSON.stringify({ title, ...report, assumptions: all }, null, 2) : render(report, title));
}
