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
  'Opens the console of a deployed table: a page to look at flags and change them, on this machine alone, with your AWS credentials.',
)
  .option('--stage <stage>', 'the deployment whose stacks say where everything is', 'dev')
  .option('--name <name>', 'what the names of its stacks begin with', 'Flagwire')
  .addOption(new Option('--table <name>', 'the flags table, in place of looking at stacks').env('FLAGS_TABLE'))
  .option('--connections <name>', 'the table of connections, to count them')
  .option('--streaming-url <url>', 'where SDKs stream, for what the page shows of them')
  .option('--http-url <url>', 'where SDKs poll')
  .option('--region <region>', 'the AWS region, in place of AWS_REGION')
  .option('--port <number>', 'port of the page; 0 picks a free one', portNumber, 5300)
  .addHelpText(
    'after',
    '\nIt listens on 127.0.0.1 only, and answers whoever has the token of the address that it prints. What you may see and change' +
      '\nis what your credentials may (docs/console.md has policies). Counting connections costs reads: the page says how much.' +
      '\n\nExit code: 0, or 1 where it cannot start.\n\nExample:\n  AWS_PROFILE=shop npm run console -- --stage prod --region eu-west-1',
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
    `The console of table ${table}. Ctrl-C stops it.\n\n  ${styleText('cyan', url, { stream: process.stdout })}\n`,
  );
  stopOnSignals(close);
}
