import { type Command, InvalidArgumentError, Option } from 'commander';
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { wholeNumber, wholeNumbers } from '../../shared/command/numbers.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { GATE_NAMES, parseGate } from '../results/gates.ts';
import type { Load } from '../scenarios/loadProfile.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';
import type { RemoteOptions } from './target.ts';

/** Options of the command line. */
export interface Options extends Omit<RemoteOptions, 'clientKey'> {
  readonly clientKey?: string;
  readonly instance?: string;
  readonly rates?: readonly number[];
  readonly runs?: number;
  readonly resume?: boolean;
  readonly flag: string;
  readonly quick?: boolean;
  readonly ensure?: readonly Readonly<Record<string, number>>[];
  readonly region: string;
  readonly out?: string;
  /** The options of the scenario, under the names of its load. */
  readonly load?: Partial<Load>;
}

/** Options of scenarios, by the field of the load. A scenario has an option if it has a default for the field. */
const LOADS: Readonly<Record<string, readonly [flags: string, about: string, parse: (text: string) => unknown]>> = {
  rampS: ['--ramp <s>', 'time over which connections open', positive],
  durationS: [
    '--duration <s>',
    'duration of a run. For sustained and heartbeat, the time over which connections open',
    positive,
  ],
  liveS: ['--lifetime <s>', 'lifetime of each connection', positive],
  connections: ['--connections <n>', 'number of open connections to reach', wholeNumber],
  flips: ['--flips <n>', 'number of changes of the flag', wholeNumber],
  flipEveryS: ['--flip-every <s>', 'time between two changes of the flag', positive],
  everyS: ['--every <s>', 'time between two messages of a connection', positive],
  message: [
    '--message <kind>',
    'kind of message: ping or echo. On API Gateway, an echo calls a Lambda function and is limited to 2 % of the request rate',
    kind,
  ],
  pingS: ['--ping <s>', 'time between two pings of a connection. 0 turns pings off', zeroOrMore],
};

const HELP = `
Targets:
  host     starts the host on one core, with the flags of FeatBit's benchmark (default)
  local    starts npm start
  ws://…   tests a running server that uses FeatBit's protocol. Set --client-key. To check the flags in replies, also set --http and --server-key

Thresholds are upper limits. Repeat --ensure to set several: --ensure 'sync.p99:200' --ensure errors.percent:1
  ${GATE_NAMES}

Examples:
  npm run loadtest -- reference --quick
  npm run loadtest -- staged --rates 20,100,200 --ensure cpu.percent:90
  npm run loadtest -- reference --target wss://… --http https://…

Exit code: 0 if all thresholds were met, otherwise:
  1  A threshold was missed.
  2  An argument is wrong.
  3  A run is invalid, because other programs used the machine or the run ended early.
  4  The target does not respond or refuses the key.
  5  The load test itself failed.`;

/** The program with a command for each scenario. @param onRun runs a scenario */
export function createProgram(onRun: (name: string, scenario: Scenario, options: Options) => Promise<void>): Command {
  const program = npmCommand(
    'loadtest',
    'Runs a load test against a target with artillery, and compares the results with FeatBit’s published figures.',
  ).addHelpText('after', HELP);
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const command = program.command(name).description(scenario.summary);
    const { defaults } = scenario;
    command
      .option('--target <target>', 'host, local, or a streaming URL', 'host')
      .option('--http <url>', 'HTTP URL of the target')
      .addOption(new Option('--client-key <secret>', 'client key of the target').env('FLAGWIRE_CLIENT_KEY'))
      .addOption(new Option('--server-key <secret>', 'server key of the target').env('FLAGWIRE_SERVER_KEY'))
      .option('--pid <n,...>', 'ids of the processes whose CPU and memory are measured', wholeNumbers)
      .option('--instance <id>', 'EC2 instance of the Host stack. CloudWatch supplies its CPU and memory use')
      .option('--region <region>', 'AWS region of --instance', process.env['AWS_REGION'] ?? 'us-east-1')
      .option('--rates <n,...>', `new connections a second (default ${defaults.rates.join(',')})`, (text) =>
        text.split(',').map(positive),
      )
      .option('--runs <n>', `number of runs at each rate (default ${defaults.runs})`, wholeNumber)
      .option('--quick', 'do one short run at each rate')
      .option('--ensure <threshold>', 'add a threshold, such as sync.p99:200', threshold)
      .option('--out <folder>', 'folder for the results (default dist/loadtest/<scenario>-<time>)', userPath)
      .option('--resume', 'continue the interrupted load test in the --out folder');
    const loadOptions = Object.entries(LOADS).flatMap(([key, [flags, about, parse]]) => {
      if (!(key in defaults)) return [];
      const value = defaults[key as keyof Load];
      const standard = ['number', 'string'].includes(typeof value) ? ` (default ${value})` : '';
      const option = new Option(flags, `${about}${standard}`).argParser(parse);
      command.addOption(option);
      return [[key, option.attributeName()] as const];
    });
    if ('flips' in defaults) {
      command
        .option('--flag <key>', 'key of the flag to change', 'returns-true')
        .option(
          '--table <name>',
          'flags table of the target. The load test changes the flag there with your AWS credentials',
        );
    }
    command.action((options: Options & Record<string, unknown>) => {
      const given = loadOptions.map(([key, option]) => [key, options[option]]);
      const load = Object.fromEntries(given.filter(([, value]) => value !== undefined));
      return onRun(name, scenario, { ...options, load });
    });
  }
  return program;
}

/** The load of a scenario: its defaults, then `--quick`, then explicit options. */
export function resolveLoad({ defaults, quick }: Scenario, options: Options, rate: number): Load {
  return { ...defaults, ...(options.quick ? quick : {}), ...options.load, rate } as Load;
}

/** A number over 0. */
function positive(text: string): number {
  if (!(Number(text) > 0)) throw new InvalidArgumentError('must be a number over 0.');
  return Number(text);
}

function zeroOrMore(text: string): number {
  if (!(Number(text) >= 0)) throw new InvalidArgumentError('must be a number, 0 or more.');
  return Number(text);
}

function kind(text: string): 'ping' | 'echo' {
  if (text !== 'ping' && text !== 'echo') throw new InvalidArgumentError('must be ping or echo.');
  return text;
}

function threshold(text: string, before: readonly Readonly<Record<string, number>>[] = []) {
  const gate = parseGate(text);
  if (!gate) throw new InvalidArgumentError(`must look like sync.p99:200; the thresholds are ${GATE_NAMES}.`);
  return [...before, gate];
}
