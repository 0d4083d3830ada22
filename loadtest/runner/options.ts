import { type Command, InvalidArgumentError, Option } from 'commander';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { GATE_NAMES, parseGate } from '../results/gates.ts';
import type { Load } from '../scenarios/plan.ts';
import { readScript, type Script } from '../scenarios/script.ts';
import { addComparisonOptions, type ComparisonOptions } from './baseline.ts';
import type { FargateService } from './cloudWatch.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** Options of the command line. */
export interface Options extends ComparisonOptions {
  readonly target: string;
  readonly http?: string;
  readonly clientKey?: string;
  readonly serverKey?: string;
  readonly table?: string;
  readonly pid?: readonly number[];
  readonly instance?: string;
  readonly rates?: readonly number[];
  readonly runs?: number;
  readonly resume?: boolean;
  readonly live?: boolean;
  readonly ramp?: number;
  readonly duration?: number;
  readonly lifetime?: number;
  readonly ping?: number;
  readonly connections?: number;
  readonly steps?: number;
  readonly flips?: number;
  readonly flipEvery?: number;
  readonly flag: string;
  readonly messages?: readonly [number, number];
  readonly every?: number;
  readonly message?: 'ping' | 'echo';
  readonly script?: Script;
  readonly users?: number;
  readonly quick?: boolean;
  readonly findMax?: boolean;
  readonly goal?: number;
  readonly ecsService?: FargateService;
  readonly ensure?: readonly Readonly<Record<string, number>>[];
  readonly workers?: number;
  readonly fargate?: number;
  readonly region: string;
  readonly subnets?: string;
  readonly securityGroups?: string;
  readonly spot?: boolean;
  readonly cpu: number;
  readonly memory: number;
  readonly budget?: number;
  readonly yes?: boolean;
  readonly out?: string;
}

/** Options of scenarios. A scenario has those for which it has a default. */
const LOADS: Readonly<Record<string, readonly [flags: string, about: string, parse: (text: string) => unknown]>> = {
  rampS: ['--ramp <s>', 'time over which connections open', positive],
  durationS: [
    '--duration <s>',
    'total time. With held, the time at each step. With sustained and heartbeat, the time in which connections open',
    positive,
  ],
  liveS: ['--lifetime <s>', 'lifetime of each connection', positive],
  connections: ['--connections <n>', 'number of connections held', wholeNumber],
  steps: ['--steps <n>', 'number of steps up to --connections', wholeNumber],
  flips: ['--flips <n>', 'how often the flag is turned on or off', wholeNumber],
  flipEveryS: ['--flip-every <s>', 'time between two changes of the flag', positive],
  messages: ['--messages <n-m>', 'number of messages that each connection sends, as minimum-maximum', range],
  everyS: ['--every <s>', 'time between messages', positive],
  message: [
    '--message <kind>',
    'ping (no Lambda call on API Gateway), or echo (a Lambda call). For echo, API Gateway allows 0.02 of its requests a second',
    kind,
  ],
  pingS: ['--ping <s>', 'time between pings of a connection. 0 means no pings', zeroOrMore],
};

const HELP = `
Targets:
  host     starts the host on its own core, with the benchmark's flags (the default)
  local    starts the service of npm start
  ws://…   any server with FeatBit's protocol. Needs --client-key. To check answers, also set --http and --server-key

Thresholds are upper limits. Repeat --ensure for each: --ensure 'sync.p99:200' --ensure errors.percent:1
  ${GATE_NAMES}

Examples:
  npm run loadtest -- reference --quick
  npm run loadtest -- sustained --find-max --rates 500
  npm run loadtest -- staged --goal 5000
  npm run loadtest -- staged --rates 20,100,200 --ensure cpu.percent:90
  npm run loadtest -- reference --target wss://… --http https://… --fargate 4 --region eu-west-1 --budget 5

Exit code: 0 if all thresholds were met, otherwise:
  1  A threshold was missed.
  2  An argument is wrong.
  3  A run was discarded, because the machine was busy or the run ended early.
  4  The target is down or refuses the key.
  5  The load test itself failed.
  6  A figure is worse than the baseline's (--fail-on worse).
For CI, junit.xml in the folder has the same results.`;

/** The program with a command for each scenario. @param onRun runs a scenario */
export function createProgram(onRun: (name: string, scenario: Scenario, options: Options) => Promise<void>): Command {
  const program = npmCommand(
    'loadtest',
    'Puts load on a target with artillery, and compares the results with FeatBit’s published figures.',
  ).addHelpText('after', HELP);
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const command = program.command(name).description(scenario.summary);
    const { defaults } = scenario;
    command
      .option('--target <target>', 'host, local, or a streaming URL', 'host')
      .option('--http <url>', 'HTTP URL of the target')
      .addOption(new Option('--client-key <secret>', 'client key of the target').env('FLAGWIRE_CLIENT_KEY'))
      .addOption(new Option('--server-key <secret>', 'server key of the target').env('FLAGWIRE_SERVER_KEY'))
      .option('--pid <n,...>', 'processes to measure (CPU, memory)', wholeNumbers)
      .option('--instance <id>', 'instance of the Host stack to measure through CloudWatch')
      .option(
        '--ecs-service <cluster/service[/vcpu/gb]>',
        'service of the Fargate stack to measure through CloudWatch, and the size of a task (default 1/2)',
        ecsService,
      )
      .option('--rates <n,...>', `new connections a second (default ${defaults.rates.join(',')})`, rateList)
      .option('--runs <n>', `runs at each rate (default ${defaults.runs})`, wholeNumber)
      .option('--users <n>', 'number of different users. Without it, each connection has another user', wholeNumber)
      .option('--quick', 'one short run at each rate')
      .option('--ensure <threshold>', 'a threshold in addition to the scenario’s own', threshold)
      .option('--workers <n>', 'artillery processes on this machine (default: as many as the load needs)', wholeNumber)
      .option('--out <folder>', 'folder for all results (default dist/loadtest/<scenario>-<time>)')
      .option('--live', 'serve the report to browsers on this machine while the campaign runs')
      .addOption(new Option('--resume', 'continue the interrupted campaign in --out').conflicts('findMax'));
    addComparisonOptions(command);
    for (const [key, [flags, about, parse]] of Object.entries(LOADS)) {
      if (!(key in defaults)) continue;
      const standard = String(defaults[key as keyof Load]).replace(',', '-');
      command.addOption(new Option(flags, `${about} (default ${standard})`).argParser(parse));
    }
    if ('flips' in defaults) {
      command
        .option('--flag <key>', 'key of the flag to flip', 'returns-true')
        .option('--table <name>', 'flags table of the target, which is changed with your AWS credentials');
    }
    if ('script' in defaults)
      command.option('--script <file>', 'your edited copy of loadtest/scenarios/sdks.yml', script);
    if (scenario.isStaged) {
      command.addOption(
        new Option(
          '--goal <clients>',
          'measure the base capacity at 80 % CPU, then hold 10, 50 and 100 % of this number of clients for 5, 10 and 10 minutes. --quick and --duration shorten all stages',
        )
          .argParser(wholeNumber)
          .conflicts(['rates', 'findMax']),
      );
    }
    if (['reference', 'sustained', 'staged'].includes(name))
      command.option('--find-max', 'search for the highest rate that meets the thresholds');
    addFargate(command);
    command.action((options: Options) => onRun(name, scenario, options));
  }
  return program;
}

function addFargate(command: Command): void {
  command
    .option('--fargate <n>', 'number of Fargate workers, started with your AWS credentials', wholeNumber)
    .option('--region <region>', 'region of the workers', process.env['AWS_REGION'] ?? 'us-east-1')
    .option('--subnets <ids>', 'subnets of the workers, separated by commas')
    .option('--security-groups <ids>', 'security groups of the workers, separated by commas')
    .option('--spot', 'use Spot capacity')
    .option('--cpu <n>', 'vCPUs of each worker', wholeNumber, 4)
    .option('--memory <gb>', 'memory of each worker', wholeNumber, 8)
    .option('--budget <usd>', 'upper limit of the estimated cost. Nothing starts above it', positive)
    .option('--yes', 'start without a --budget');
}

/** The load of a scenario: its defaults, then `--quick`, then explicit options. */
export function resolveLoad({ defaults, quick }: Scenario, options: Options, rate: number): Load {
  const said = {
    rampS: options.ramp,
    durationS: options.duration,
    liveS: options.lifetime,
    pingS: options.ping,
    connections: options.connections,
    steps: options.steps,
    flips: options.flips,
    flipEveryS: options.flipEvery,
    messages: options.messages,
    everyS: options.every,
    message: options.message,
    script: options.script,
    goal: options.goal,
  };
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
  return { ...defaults, ...(options.quick ? quick : {}), ...given, rate } as Load;
}

/** A number over 0. */
export function positive(text: string): number {
  if (!(Number(text) > 0)) throw new InvalidArgumentError('must be a number over 0.');
  return Number(text);
}

function zeroOrMore(text: string): number {
  if (!(Number(text) >= 0)) throw new InvalidArgumentError('must be a number, 0 or more.');
  return Number(text);
}

function rateList(text: string): number[] {
  return text.split(',').map(positive);
}

function range(text: string): [number, number] {
  const [, low, high] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (low === undefined || Number(low) > Number(high)) throw new InvalidArgumentError('must look like 280-320.');
  return [Number(low), Number(high)];
}

function ecsService(text: string): FargateService {
  const [cluster, service, vcpu = '1', memoryGb = '2'] = text.split('/');
  if (!cluster || !service || !(Number(vcpu) > 0) || !(Number(memoryGb) > 0))
    throw new InvalidArgumentError('must look like my-cluster/my-service, or my-cluster/my-service/0.5/1.');
  return { cluster, service, vcpu: Number(vcpu), memoryGb: Number(memoryGb) };
}

function kind(text: string): 'ping' | 'echo' {
  if (text !== 'ping' && text !== 'echo') throw new InvalidArgumentError('must be ping or echo.');
  return text;
}

function script(path: string): Script {
  try {
    return readScript(path);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function threshold(text: string, before: readonly Readonly<Record<string, number>>[] = []) {
  const gate = parseGate(text);
  if (!gate) throw new InvalidArgumentError(`must look like sync.p99:200; the thresholds are ${GATE_NAMES}.`);
  return [...before, gate];
}
