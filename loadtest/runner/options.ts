import { type Command, InvalidArgumentError, Option } from 'commander';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { GATE_NAMES, parseGate } from '../results/gates.ts';
import type { Load } from '../scenarios/plan.ts';
import { readScript, type Script } from '../scenarios/script.ts';
import { addComparisonOptions, type ComparisonOptions } from './baseline.ts';
import type { FargateService } from './cloudWatch.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** What the command line says. */
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

/** What each scenario's own options mean; only those that it has defaults for are its options. */
const LOADS: Readonly<Record<string, readonly [flags: string, about: string, parse: (text: string) => unknown]>> = {
  rampS: ['--ramp <s>', 'how long connections are opened', positive],
  durationS: [
    '--duration <s>',
    'how long it takes in all; each stay, of held; arrivals, of sustained and heartbeat',
    positive,
  ],
  liveS: ['--lifetime <s>', 'how long each connection lives', positive],
  connections: ['--connections <n>', 'how many are held', wholeNumber],
  steps: ['--steps <n>', 'in how many steps they are climbed to', wholeNumber],
  flips: ['--flips <n>', 'how often the flag is flipped', wholeNumber],
  flipEveryS: ['--flip-every <s>', 'time between flips', positive],
  messages: ['--messages <n-m>', 'how many each connection sends, at least and at most', range],
  everyS: ['--every <s>', 'time between messages', positive],
  message: [
    '--message <kind>',
    'ping, which costs API Gateway no Lambda, or echo, which does, and for which it lets through 0.02 of its requests a second',
    kind,
  ],
  pingS: ['--ping <s>', 'how often each connection pings; 0 never', zeroOrMore],
};

const HELP = `
Targets:
  host     the host, started for it on a core of its own, with the benchmark's flags (the default)
  local    the service as npm start runs it, started for it
  ws://…   anything that speaks the protocol; it takes --client-key, and --http with --server-key to check answers

Thresholds (--ensure), each at most so much, may be given several times: --ensure 'sync.p99:200' --ensure errors.percent:1
  ${GATE_NAMES}

Examples:
  npm run loadtest -- reference --quick
  npm run loadtest -- sustained --find-max --rates 500
  npm run loadtest -- staged --goal 5000
  npm run loadtest -- staged --rates 20,100,200 --ensure cpu.percent:90
  npm run loadtest -- reference --target wss://… --http https://… --fargate 4 --region eu-west-1 --budget 5

Exit code: 0 all thresholds are kept, 1 one is not, 2 wrong arguments, 3 a run was held up by its generator or ended early, 4 the target is not
there or refuses the key, 5 an error of the load test itself, 6 worse than the baseline (--fail-on worse). junit.xml in the folder says the same to CI.`;

/** The program with a command for each scenario. @param onRun what a command does */
export function createProgram(onRun: (name: string, scenario: Scenario, options: Options) => Promise<void>): Command {
  const program = npmCommand(
    'loadtest',
    'Puts load on a target with artillery, and compares it with FeatBit’s published figures.',
  ).addHelpText('after', HELP);
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const command = program.command(name).description(scenario.summary);
    const { defaults } = scenario;
    command
      .option('--target <target>', 'host, local, or a streaming URL', 'host')
      .option('--http <url>', 'HTTP URL of the target')
      .addOption(new Option('--client-key <secret>', 'its client key').env('FLAGWIRE_CLIENT_KEY'))
      .addOption(new Option('--server-key <secret>', 'its server key').env('FLAGWIRE_SERVER_KEY'))
      .option('--pid <n,...>', 'processes whose CPU and memory are watched', wholeNumbers)
      .option('--instance <id>', 'instance of the Host stack that is watched through CloudWatch')
      .option(
        '--ecs-service <cluster/service[/vcpu/gb]>',
        'service of the Fargate stack that is watched through CloudWatch, and what a task has (default 1/2)',
        ecsService,
      )
      .option('--rates <n,...>', `new connections a second (default ${defaults.rates.join(',')})`, rateList)
      .option('--runs <n>', `runs at each rate (default ${defaults.runs})`, wholeNumber)
      .option('--users <n>', 'draw users from so many; without it each connection is a user of its own', wholeNumber)
      .option('--quick', 'one short run each')
      .option('--ensure <threshold>', 'a threshold besides the scenario’s own', threshold)
      .option('--workers <n>', 'artillery processes on this machine (default: as many as it takes)', wholeNumber)
      .option('--out <folder>', 'where everything goes (default dist/loadtest/<scenario>-<time>)')
      .option('--live', 'serve the report to this machine’s browsers as it grows')
      .addOption(new Option('--resume', 'go on with the campaign in --out that was interrupted').conflicts('findMax'));
    addComparisonOptions(command);
    for (const [key, [flags, about, parse]] of Object.entries(LOADS)) {
      if (!(key in defaults)) continue;
      const standard = String(defaults[key as keyof Load]).replace(',', '-');
      command.addOption(new Option(flags, `${about} (default ${standard})`).argParser(parse));
    }
    if ('flips' in defaults) {
      command
        .option('--flag <key>', 'the flag that is flipped', 'returns-true')
        .option('--table <name>', 'the target’s flags table, written to with your AWS credentials');
    }
    if ('script' in defaults)
      command.option('--script <file>', 'a copy of loadtest/scenarios/sdks.yml, edited', script);
    if (scenario.isStaged) {
      command.addOption(
        new Option(
          '--goal <clients>',
          'stages of 10, 50 and 100 % of so many clients, held for 5, 10 and 10 minutes, after the base capacity at 80 % of the processor; --quick and --duration shorten all',
        )
          .argParser(wholeNumber)
          .conflicts(['rates', 'findMax']),
      );
    }
    if (['reference', 'sustained', 'staged'].includes(name))
      command.option('--find-max', 'look for the highest rate that keeps the thresholds');
    addFargate(command);
    command.action((options: Options) => onRun(name, scenario, options));
  }
  return program;
}

function addFargate(command: Command): void {
  command
    .option('--fargate <n>', 'run on so many Fargate workers, with your AWS credentials', wholeNumber)
    .option('--region <region>', 'where they run', process.env['AWS_REGION'] ?? 'us-east-1')
    .option('--subnets <ids>', 'their subnets, separated by commas')
    .option('--security-groups <ids>', 'their security groups, separated by commas')
    .option('--spot', 'take spot capacity')
    .option('--cpu <n>', 'vCPUs of each', wholeNumber, 4)
    .option('--memory <gb>', 'memory of each', wholeNumber, 8)
    .option('--budget <usd>', 'refuse to start what is estimated to cost more', positive)
    .option('--yes', 'start without the estimate being confirmed by --budget');
}

/** The load that a scenario is asked for: its defaults, `--quick`, and what was said. */
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
  if (!gate) throw new InvalidArgumentError(`must look like sync.p99:200; there are ${GATE_NAMES}.`);
  return [...before, gate];
}
