import { Command, InvalidArgumentError, Option } from 'commander';
import type { FuzzOptions } from './fuzz/run.ts';
import type { LinearizeOptions } from './linearize/run.ts';
import { SERVICES, type ServiceName } from './service.ts';

/** What the command line says, with what stands in place of what it does not. */
export interface Options extends Omit<FuzzOptions, 'memory'>, LinearizeOptions {
  readonly target: 'both' | ServiceName;
  readonly memoryHost: number;
  readonly memoryGateway: number;
  /** Where page and figures go. */
  readonly out?: string;
}

/** What can be run. */
export type PartName = 'all' | 'autobahn' | 'fuzz' | 'linearize';

/** A seed that nobody has chosen. */
function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 31);
}

const seed = () =>
  new Option('--seed <n>', 'what chance is made of; it is printed')
    .argParser(whole)
    .default(freshSeed(), 'a fresh one');

const target = () => new Option('--target <name>', 'what is tortured').choices(['both', ...SERVICES]).default('both');

const fuzzOptions = () => [
  new Option('--inputs <n>', 'inputs for each target, at least').argParser(whole).default(200_000),
  new Option('--from <n>', 'number of the first visit; a problem names the number of its own')
    .argParser(zeroOrMore)
    .default(0),
  new Option('--lanes <n>', 'visits at the same time').argParser(whole).default(32),
  new Option('--memory-host <MiB>', 'what the host may take').argParser(whole).default(600),
  new Option('--memory-gateway <MiB>', 'what npm start may take, its tables and functions in it')
    .argParser(whole)
    .default(1_000),
];

const linearizeOptions = () => [
  new Option('--seconds <n>', 'how long there are faults, for each target').argParser(whole).default(600),
  new Option('--readers <n>', 'clients that read').argParser(whole).default(24),
  new Option('--writers <n>', 'writers at the same time').argParser(whole).default(3),
];

const HELP = `
Exit code: 0 nothing was found, 1 something was, 2 it could not be run, 130 it was interrupted.
A seed gives the same inputs and the same plans again; what meets what in time it cannot repeat.`;

/** The program, whose commands are the parts. @param onRun what it does; `all` when no part is named */
export function createProgram(onRun: (part: PartName, options: Options) => Promise<void>): Command {
  const out = () => new Option('--out <folder>', 'where torture.md and torture.json go');
  const program = new Command('npm run torture --')
    .description(
      'Holds the host, and the service of npm start, against what they must withstand: all parts, or one of them.',
    )
    .addHelpText('after', HELP)
    .enablePositionalOptions()
    .helpCommand(false);
  const setUp = (command: Command, part: PartName, options: readonly Option[]) => {
    for (const option of options) command.addOption(option);
    command.allowExcessArguments(false).action((given: Options) => onRun(part, given));
  };
  const addPart = (part: PartName, description: string, options: readonly Option[]) =>
    setUp(program.command(part).description(description).addHelpText('after', HELP), part, [...options, out()]);
  setUp(program, 'all', [seed(), target(), ...fuzzOptions(), ...linearizeOptions(), out().default('docs/results')]);
  addPart('autobahn', 'Autobahn’s cases against the host’s transport; takes Python 3.10', []);
  addPart('fuzz', 'mutated handshakes, frames, messages and HTTP requests', [seed(), target(), ...fuzzOptions()]);
  addPart('linearize', 'writers and readers, while the service is killed again and again', [
    seed(),
    target(),
    ...linearizeOptions(),
  ]);
  return program;
}

function whole(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('must be a whole number, 1 or more.');
  return Number(text);
}

function zeroOrMore(text: string): number {
  return text === '0' ? 0 : whole(text);
}
