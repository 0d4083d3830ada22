import { relative } from 'node:path';
import { npmCommand } from '../shared/command/npmCommand.ts';
import { userPath } from '../shared/command/userPath.ts';
import { sumOf } from '../shared/statistics/sumOf.ts';
import { writeCampaigns } from './report/campaignReport.ts';
import { figure } from './report/document.ts';
import { readCampaign } from './results/campaign.ts';
import { EXIT } from './runner/outcome.ts';

const program = npmCommand(
  'report',
  'Combines several load tests in one report: a page, Markdown and JSON. Interrupted load tests are included.',
)
  .argument('[folder...]', 'results folders of npm run loadtest')
  .option('--out <folder>', 'folder for the report (default: the first folder)', userPath);
program.addHelpText('after', '\nExit code: 0 if the report was written, 2 if an argument is invalid.');

try {
  program.parse();
  if (program.args.length === 0) throw new Error('name the folders that npm run loadtest wrote');
  report(program.args.map(userPath), program.opts<{ out?: string }>().out);
} catch (error) {
  console.error(`report: ${(error as Error).message}`);
  process.exitCode = EXIT.arguments;
}

function report(folders: readonly string[], out = folders[0] as string): void {
  const startedAt = performance.now();
  const campaigns = folders.map((folder) => readCampaign(folder));
  const { page, text } = writeCampaigns(out, campaigns);
  const runs = campaigns.flatMap((campaign) => campaign.runs);
  const times = sumOf(runs, (run) => sumOf(Object.values(run.times), ({ count }) => count));
  console.log(text);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  console.log(`The report is ${relative('.', page)}. It took ${seconds} s for ${figure(times)} times.`);
}
