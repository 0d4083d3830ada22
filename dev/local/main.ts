import { rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { Command, InvalidArgumentError, Option } from 'commander';
import { portNumber } from '../../shared/command/numbers.ts';
import { stopOnSignals } from '../../shared/command/stopOnSignals.ts';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import type { OwnRequests } from '../emulator/gatewayServer.ts';
import { LOOPBACK } from '../emulator/listen.ts';
import { logToStderr } from '../emulator/log.ts';
import { type AccountName, accountsHelp, playedAccount } from './account.ts';
import { announce, claimDataDir, withdraw } from './announcement.ts';
import { banner } from './banner.ts';
import { KEPT, makePrivate } from './dataFolder.ts';
import { EventLines, type LineKind } from './eventLines.ts';
import { exposureWarning } from './exposure.ts';
import type { LocalConsole } from './localConsole.ts';
import { TrafficEvents } from './trafficEvents.ts';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly hostName: readonly string[];
  readonly data: string;
  readonly fresh?: boolean;
  readonly aws: AccountName;
  readonly quotas: number;
  readonly awsTimes?: boolean;
  readonly quiet?: boolean;
}

/** By this error an authorizer has a connection answered with 401. */
const REFUSAL = 'failed: Error: Unauthorized';

const COLOURS = { opened: 'green', closed: 'gray', sync: 'cyan', push: 'magenta', refused: 'yellow' } as const;

const program = new Command('npm start --')
  .description('Runs the whole service on this machine: gateway, Lambda handlers, DynamoDB and push pipeline.')
  .option('--port <number>', 'port of the streaming and HTTP URLs; 0 picks a free one', portNumber, 5100)
  .option('--host <address>', 'where they listen; 0.0.0.0 lets phones and containers connect', LOOPBACK)
  .addOption(
    new Option('--host-name <name>', 'a further name by which they may be asked; can be repeated')
      .argParser((name, all: readonly string[]) => [...all, name])
      .default([], 'none'),
  )
  .option('--data <directory>', 'where flags, keys and insight events are kept between starts', DATA_FOLDER)
  .option('--fresh', 'remove what earlier starts have kept, and start empty')
  .addOption(
    new Option('--aws <account>', 'the AWS account it plays').choices(Object.keys(awsProfiles)).default('default'),
  )
  .option('--quotas <part>', 'the part of its quotas that it has, such as 0.1: one machine cannot reach all', part, 1)
  .option('--aws-times', "have functions take as long as on AWS, on their memory's share of a processor")
  .option('--quiet', 'leave out the lines that tell who connects, what is answered and whom a change reaches')
  .addHelpText('after', `\n${accountsHelp()}`)
  .addHelpText('after', '\nExample:\n  npm start -- --port 6100 --data /tmp/flagwire --fresh --aws new-account');

try {
  await main(program.parse().opts<Options>());
} catch (error) {
  console.error(`flagwire: ${(error as Error).message}`);
  process.exitCode = 1;
}

async function main({ port, host, hostName, data, fresh, aws: name, quotas, awsTimes, quiet }: Options): Promise<void> {
  const dataDir = resolve(data);
  // What is made from here on is for its owner only: tables, secrets, insight events.
  process.umask(0o077);
  claimDataDir(dataDir);
  makePrivate(dataDir);
  if (fresh) for (const name of KEPT) rmSync(join(dataDir, name), { recursive: true, force: true });

  // Loaded when they are needed: --help and a wrong option answer at once.
  const { readConfig } = await import('../../infra/config/config.ts');
  const { synthesizeTemplates } = await import('../../infra/inProcess.ts');
  const { startLocal } = await import('../emulator/emulator.ts');
  const { openLocalConsole } = await import('./localConsole.ts');
  const { seedBenchmark } = await import('./seed.ts');
  // Refusals are reported in plain words, and not again as the functions log them.
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'WARN';
  const lines = quiet ? undefined : new EventLines(print);
  let page: LocalConsole | undefined;
  const traffic = new TrafficEvents((event, environments) => {
    lines?.tell(event);
    page?.tell(event, environments);
  });
  const log = (line: string) => {
    if (!line.includes(REFUSAL)) logToStderr(line);
  };
  const aws = playedAccount(name, { quotas, ...omitUndefined({ awsTimes }) });
  const { requests } = aws;
  // As a deployment has it, which takes its account's quota for its throttle.
  const throttle = { throttlingRate: requests.perSecond, throttlingBurst: requests.burst };
  const templates = synthesizeTemplates(readConfig(throttle));
  const ownRequests: OwnRequests = (request, response) => page?.serve(request, response) ?? false;
  const where = { dataDir, port, host, hostNames: hostName };
  const stack = await startLocal({ templates, aws, ...where, log, traffic, beside: ownRequests });
  stopOnSignals(async () => {
    withdraw(dataDir);
    page?.close();
    await stack.close();
  });
  const keys = await seedBenchmark(stack, dataDir);
  page = openLocalConsole(stack, keys);
  announce(dataDir, stack);
  console.log(banner(stack, keys, data, page.url));
  const warning = exposureWarning(host, stack.httpUrl, networkInterfaces());
  if (warning) console.log(`${warning}\n`);
  const flush = () => {
    traffic.flush();
    lines?.flush();
  };
  setInterval(flush, 100).unref();
}

function part(text: string): number {
  if (!(Number(text) > 0 && Number(text) <= 1)) throw new InvalidArgumentError('must be over 0, and 1 at most.');
  return Number(text);
}

function print(line: string, kind: LineKind): void {
  console.log(styleText(COLOURS[kind], line, { stream: process.stdout }));
}
