import { styleText } from 'node:util';
import { Option } from 'commander';
import { npmCommand, writeError } from '../shared/command/npmCommand.ts';
import { portNumber } from '../shared/command/numbers.ts';
import { stopOnSignals } from '../shared/command/stopOnSignals.ts';
import { ownCommand } from '../shared/runtime/ownCommand.ts';
import { describeStoreError } from '../shared/store/table/describeStoreError.ts';

interface Options {
  readonly name: string;
  readonly stage: string;
  readonly stack?: string;
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
    'stage of the deployment. The command reads the tables and URLs from its stack outputs',
    'dev',
  )
  .option('--name <name>', 'name of the deployment, which is the prefix of its stack names', 'Flagwire')
  .option('--stack <name>', 'stack of the release template, in place of --name and --stage')
  .addOption(new Option('--table <name>', 'flags table (default: from the stack outputs)').env('FLAGS_TABLE'))
  .option('--connections <name>', 'connections table, for the number of connections (default: from the stack outputs)')
  .option('--streaming-url <url>', 'streaming URL for SDK snippets')
  .option('--http-url <url>', 'HTTP URL for SDK snippets')
  .option('--region <region>', 'AWS region (default: AWS_REGION)')
  .option('--port <number>', 'port of the console. 0 picks a free port', portNumber, 5300)
  .addHelpText(
    'after',
    '\nThe console listens only on 127.0.0.1, and prints a link that contains a secret token. Your AWS credentials decide what you' +
      '\ncan see and change (see docs/console.md). To count connections, the console reads the connections table.' +
      `\n\nExit code: 0 after Ctrl-C, 1 if the console cannot start, 2 if an argument is invalid.\n\nExample:\n  AWS_PROFILE=shop ${ownCommand('console', '--stage prod --region eu-west-1')}`,
  )
  .parse()
  .opts<Options>();

try {
  await main(options);
} catch (error) {
  writeError(`console: ${describeStoreError(error)}`);
  process.exitCode = 1;
}

async function main({ region, port, name, stage, stack, ...said }: Options): Promise<void> {
  if (region !== undefined) process.env['AWS_REGION'] = region;
  // Loaded on demand, so that --help and invalid options are fast.
  const { openDeployedConsole } = await import('./deployed/open.ts');
  const { url, table, warning, close } = await openDeployedConsole(
    { ...said, deployment: stack ?? `${name}-${stage}`, isOneStack: stack !== undefined },
    port,
  );
  console.log(
    `Console for table ${table}. Press Ctrl-C to stop.\n\n  ${styleText('cyan', url, { stream: process.stdout })}\n`,
  );
  if (warning) writeError(`warning: ${warning}`);
  stopOnSignals(close);
}
