import { relative } from 'node:path';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { readCampaign } from '../results/campaign.ts';
import { writeReport } from './write.ts';

const program = npmCommand(
  'report',
  'Makes one report of load tests: a page, Markdown, and JSON. Also of those that were killed.',
)
  .argument('<folder...>', 'folders that npm run loadtest wrote')
  .option('--out <folder>', 'where it goes (default: the first folder)');

try {
  program.parse();
  const out: string = program.opts().out ?? program.args[0];
  const { page, text } = writeReport(out, program.args.map(readCampaign));
  console.log(text);
  console.log(`The report is ${relative('.', page)}`);
} catch (error) {
  console.error(`report: ${(error as Error).message}`);
  process.exitCode = 2;
}
