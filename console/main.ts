import { styleText } from 'node:util';
import { Option } from 'commander';
import { npmCommand } from '../shared/command/npmCommand.ts';
import { portNumber } from '../shared/command/numbers.ts';
import { stopOnSignals } from '../shared/command/stopOnSignals.ts';
import { describeStoreError } from '../shared/store/describeStoreError.ts';

interface Options {
  readonly name: string;
  readonly stage: string;
  readonly table?: string;
  readonly connections?: string;
  readonly streamingUrl?: string;
  readonly httpUrl?: string;
  readonly region?: string;
  readonly port: number;
}

const options = npmCommand(
  'console',
  'Opens the console of a deployment, a page to view and change flags. It runs only on this machine, with your AWS credentials.',
)
  .option(
    '--stage <stage>',
    'stage of the deployment. The tables and URLs are read from the outputs of its stacks',
    'dev',
  )
  .option('--name <name>', 'name of the deployment. The names of its stacks begin with it', 'Flagwire')
  .addOption(
    new Option('--table <name>', 'flags table, instead of the table in the outputs of the stacks').env('FLAGS_TABLE'),
  )
  .option('--connections <name>', 'connections table, to count connections')
  .option('--streaming-url <url>', 'streaming URL of SDKs, for snippets and the preview')
  .option('--http-url <url>', 'HTTP URL of SDKs, for snippets and the preview')
  .option('--region <region>', 'AWS region, instead of AWS_REGION')
  .option('--port <number>', 'port of the page. 0 picks a free port', portNumber, 5300)
  .addHelpText(
    'after',
    '\nIt listens only on 127.0.0.1. The link that it prints contains a token. Keep it secret. Your AWS credentials decide what you can' +
      '\nsee and change (docs/console.md lists policies). Counting connections costs reads. The page shows their cost.' +
      '\n\nExit code: 0, or 1 if it cannot start.\n\nExample:\n  AWS_PROFILE=shop npm run console -- --stage prod --region eu-west-1',
  )
  .parse()
  .opts<Options>();

try {
  await main(options);
} catch (error) {
  console.error(`console: ${describeStoreError(error)}`);
  process.exitCode = 1;
}

async function main({ region, port, name, stage, ...said }: Options): Promise<void> {
  if (region !== undefined) process.env['AWS_REGION'] = region;
  // Loaded when it is needed: --help and a wrong option answer at once.
  const { openDeployedConsole } = await import('./deployed/open.ts');
  const { url, table, close } = await openDeployedConsole({ ...said, deployment: `${name}-${stage}` }, port);
  console.log(
    `Console for table ${table}. Press Ctrl-C to stop.\n\n  ${styleText('cyan', url, { stream: process.stdout })}\n`,
  );
  stopOnSignals(close);
}
