import { rmSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join, resolve } from 'node:path';
import { styleText } from 'node:util';
import { InvalidArgumentError, Option } from 'commander';
import { npmCommand, writeError } from '../../shared/command/npmCommand.ts';
import { portNumber } from '../../shared/command/numbers.ts';
import { stopOnSignals } from '../../shared/command/stopOnSignals.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { envIdOfSecret } from '../../shared/protocol/secret.ts';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { awsProfiles } from '../emulator/awsProfiles.ts';
import type { BusEvent } from '../emulator/eventbridge/service.ts';
import { LOOPBACK, type OwnRequests } from '../emulator/listen.ts';
import { logToStderr } from '../emulator/log.ts';
import { type AccountName, accountsHelp, emulatedAccount } from './account.ts';
import { announce, claimDataDir, lambdaVariablesPath, withdraw } from './announcement.ts';
import { banner } from './banner.ts';
import { createEventLines, type LineKind } from './eventLines.ts';
import type { LocalConsole } from './localConsole.ts';
import { includesLoopback, NETWORK_WARNING, networkAddresses } from './networkAddresses.ts';
import { TRY_PATH } from './ownPages.ts';
import { createTrafficEvents } from './trafficEvents.ts';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly hostName: readonly string[];
  readonly data: string;
  readonly fresh?: boolean;
  readonly demo?: boolean;
  readonly frontDoor?: boolean;
  readonly signIn?: boolean;
  readonly benchmark?: boolean;
  readonly aws: AccountName;
  readonly quotas?: number;
  readonly awsTimes?: boolean;
  readonly quiet?: boolean;
}

/** The error of an authorizer that refuses a connection, which an event line reports. */
const REFUSAL = 'failed: Error: Unauthorized';

/** Data in the --data folder, which --fresh deletes. */
const KEPT = ['dynamodb', 'dynamodb.port', 'insight', 'keys.json', 'console.json'];

const COLOURS = {
  opened: 'green',
  closed: 'gray',
  sync: 'cyan',
  push: 'magenta',
  refused: 'yellow',
  event: 'blue',
} as const;

const program = npmCommand(
  'start',
  'Runs Flagwire on this machine, with emulated API Gateway, Lambda, DynamoDB, SQS and EventBridge.',
)
  .option('--port <number>', 'port for streaming, HTTP and the console. 0 picks a free port', portNumber, 5100)
  .option('--host <address>', 'address to listen on. Use 0.0.0.0 to let phones and containers connect', LOOPBACK)
  .addOption(
    new Option(
      '--host-name <name>',
      'another host name that clients may use, such as host.docker.internal. You can repeat this option',
    )
      .argParser((name, all: readonly string[]) => [...all, name])
      .default([], 'none'),
  )
  .option('--data <directory>', 'folder for flags, keys and insight events', userPath, DATA_FOLDER)
  .option('--fresh', 'delete all data in the --data folder first')
  .option('--demo', 'connect three example applications, which evaluate all flags each second')
  .option('--benchmark', "use the environment and flags of FeatBit's benchmark instead of a shop's")
  .addOption(
    new Option('--aws <account>', 'AWS account limits to emulate').choices(Object.keys(awsProfiles)).default('default'),
  )
  .option('--aws-times', 'slow functions down to their speed on AWS')
  .option('--quiet', 'do not log connections, data-syncs, pushes and change events')
  .addHelpText('after', `\n${accountsHelp()}`)
  .addHelpText('after', '\nExit code: 0 after Ctrl-C, 1 if the service cannot start, 2 if an argument is invalid.')
  .addHelpText(
    'after',
    `\nExample:\n  ${ownCommand('start', '--port 6100 --data /tmp/flagwire --fresh --aws new-account')}`,
  );
if (!globalThis.IN_PACKAGE)
  program
    .option('--quotas <part>', 'fraction of the emulated quotas, such as 0.1, to reach the limits on one machine', part)
    .option('--front-door', 'also start a host, and a front door for both at the next port, for this machine')
    .option('--sign-in', 'also start the console with sign-in, and an OpenID provider with three persons');

try {
  await main(program.parse().opts<Options>());
} catch (error) {
  writeError(`flagwire: ${(error as Error).message}`);
  // The started servers would keep the process alive.
  process.exit(1);
}

async function main(options: Options): Promise<void> {
  const { port, host, hostName: hostNames, data, fresh, aws: name, quotas = 1, awsTimes, quiet } = options;
  const dataDir = resolve(data);
  // New files are readable for their owner only: tables, secrets, insight events.
  process.umask(0o077);
  claimDataDir(dataDir);
  if (fresh) for (const entry of KEPT) rmSync(join(dataDir, entry), { recursive: true, force: true });

  // Loaded when they are needed: --help and a wrong option answer at once.
  const { readConfig } = await import('../../infra/config/config.ts');
  const { synthesizeTemplates } = await import('../../infra/inProcess.ts');
  const { startLocal } = await import('../emulator/emulator.ts');
  // Functions of the package are bundled already.
  if (!globalThis.IN_PACKAGE) (await import('./bundledModules.ts')).useBundledModules();
  const { keepToken, openLocalConsole } = await import('./localConsole.ts');
  const { openTryPage } = await import('./tryPage.ts');
  const { seedExamples } = await import('./seed.ts');
  // The package does not contain it.
  const frontDoor = globalThis.IN_PACKAGE || !options.frontDoor ? undefined : await import('./frontDoor.ts');
  const signIn = globalThis.IN_PACKAGE || !options.signIn ? undefined : await import('./signIn.ts');
  // Event lines report refused connections.
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'WARN';
  const print = (line: string, kind: LineKind) =>
    console.log(styleText(COLOURS[kind], line, { stream: process.stdout }));
  const lines = quiet ? undefined : createEventLines(print);
  let page: LocalConsole | undefined;
  let stopDemo: (() => Promise<void>) | undefined;
  let door: Awaited<ReturnType<typeof import('./frontDoor.ts').startFrontDoor>> | undefined;
  const site = await signIn?.startSignIn();
  const traffic = createTrafficEvents((event, environments) => {
    lines?.tell(event);
    page?.tell(event, environments);
    site?.tell(event);
  });
  const log = (line: string) => {
    if (!line.includes(REFUSAL)) logToStderr(line);
  };
  const aws = emulatedAccount(name, { quotas, ...omitUndefined({ awsTimes }) });
  const { requests } = aws;
  // As a deployment has it, which takes its account's quota for its throttle.
  const throttle = { throttlingRate: requests.perSecond, throttlingBurst: requests.burst };
  const made = synthesizeTemplates(readConfig({ ...throttle, ...frontDoor?.DOOR_SETTINGS, ...site?.settings }));
  const templates = site?.complete(made) ?? made;
  // The flags that the first start creates are no news.
  let readyAt = Number.POSITIVE_INFINITY;
  const onEvent = ({ event }: BusEvent) => {
    const isNew = event.source === 'aws.cloudwatch' || Date.parse(String(event.detail['at'])) >= readyAt;
    if (isNew) lines?.tellChange(event);
  };
  let ownRequests: OwnRequests = () => false;
  const beside: OwnRequests = (request, response) => ownRequests(request, response);
  const at = { port, host, hostNames };
  const stack = await startLocal({
    templates,
    aws,
    dataDir,
    ...at,
    log,
    traffic,
    beside,
    onEvent,
    readMetric: site?.readMetric,
  });
  stopOnSignals(async () => {
    withdraw(dataDir);
    page?.close();
    await stopDemo?.();
    await door?.close();
    await stack.close();
    await site?.provider.close();
  });
  const seed = await seedExamples(stack, dataDir, options.benchmark ? 'benchmark' : 'shop');
  readyAt = Date.now();
  const network = networkAddresses(host, stack.httpUrl, networkInterfaces());
  const networkUrl = network?.[0] === undefined ? undefined : `http://${network[0]}${TRY_PATH}`;
  const tryPage = openTryPage(seed.keys.client, networkUrl, seed.flagKey);
  announce(dataDir, stack, envIdOfSecret(seed.keys.client));
  const table = { endpoint: stack.dynamoDbEndpoint, flags: stack.tables.flags };
  const doorOptions = { templates, table, dataDir, gatewayUrl: stack.httpUrl, port: port && port + 1, log };
  door = await frontDoor?.startFrontDoor(doorOptions);
  const localConsole = openLocalConsole(stack, door ?? stack, seed.keys, keepToken(dataDir));
  page = localConsole;
  ownRequests = (request, response) => localConsole.serve(request, response) || tryPage(request, response);

  const consoleUrl = includesLoopback(host) ? localConsole.url : undefined;
  if (network) console.log(`\n${NETWORK_WARNING}`);
  // Last, so that the address of the console stays on the screen.
  const signInUrl = stack.furtherHttpUrls[0];
  const lambdaVariables = lambdaVariablesPath(dataDir);
  const shown = { consoleUrl, signInUrl, network, hostNames, data, lambdaVariables };
  console.log(banner({ ...stack, ...seed, frontDoor: door, ...shown }));
  if (options.demo) {
    const { startDemo } = await import('./demo.ts');
    stopDemo = await startDemo(door ?? stack, seed.keys.server);
  }
  const flush = () => {
    traffic.flush();
    lines?.flush();
  };
  setInterval(flush, 100).unref();
}

function part(text: string): number {
  if (!(Number(text) > 0 && Number(text) <= 1)) throw new InvalidArgumentError('must be above 0 and at most 1.');
  return Number(text);
}
