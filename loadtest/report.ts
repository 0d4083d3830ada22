import { relative } from 'node:path';
import { npmCommand } from '../shared/command/npmCommand.ts';
import { userPath } from '../shared/command/userPath.ts';
import { writeCampaigns } from './report/campaignReport.ts';
import { readCampaign } from './results/campaign.ts';
import { asJsonSchema, resultsSchema } from './results/schema.ts';
import { EXIT } from './runner/outcome.ts';

interface ReportOptions {
  readonly out?: string;
  readonly schema?: boolean;
}

const program = npmCommand(
  'report',
  'Combines several load tests in one report: a page, Markdown and JSON. Interrupted load tests are included.',
)
  .argument('[folder...]', 'results folders of npm run loadtest')
  .option('--out <folder>', 'folder for the report (default: the first folder)', userPath)
  .option('--schema', 'print the JSON schema of results.json, and exit');
program.addHelpText('after', '\nExit code: 0 if the report was written, 2 if an argument is invalid.');

try {
  program.parse();
  const options = program.opts<ReportOptions>();
  if (options.schema) console.log(asJsonSchema('results.json of npm run loadtest and npm run report', resultsSchema));
  else if (program.args.length === 0) throw new Error('name the folders that npm run loadtest wrote');
  else report(program.args.map(userPath), options);
} catch (error) {
  console.error(`report: ${(error as Error).message}`);
  process.exitCode = EXIT.arguments;
}

function report(folders: readonly string[], options: ReportOptions): void {
  const campaigns = folders.map((folder) => readCampaign(folder));
  const { page, text } = writeCampaigns(options.out ?? (folders[0] as string), campaigns);
  console.log(text);
  console.log(`The report is ${relative('.', page)}`);
}
