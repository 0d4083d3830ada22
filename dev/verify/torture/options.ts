import { randomInt } from 'node:crypto';
import { type Command, Option } from 'commander';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { userPath } from '../../../shared/command/userPath.ts';
import { FUZZED } from './fuzz/runFuzz.ts';
import type { VisitorsOptions } from './fuzz/visitors.ts';
import type { LinearizeOptions } from './linearize/runLinearize.ts';
import { SERVICES, type ServiceName } from './service.ts';

/** The command line's options, with their defaults. */
export interface Options extends VisitorsOptions, LinearizeOptions {
  /** Absent for a part with one target. */
  readonly target?: readonly ServiceName[];
  /** Folder for the figures. */
  readonly out?: string;
}

/** Names of the parts. */
export type PartName = 'all' | 'fuzz' | 'linearize' | 'plans';

const seed = new Option('--seed <n>', 'seed of the random inputs. The command prints the seed that it uses')
  .argParser(wholeNumber)
  .default(randomInt(1, 2 ** 31), 'random');

const target = (names: readonly ServiceName[] = SERVICES) =>
  new Option('--target <name...>', 'services to test').choices(names).default([...names], 'all');

const fuzzOptions = [
  new Option('--inputs <n>', 'minimum number of inputs sent to each target').argParser(wholeNumber).default(200_000),
  new Option('--from <n>', 'number of the first session. To repeat a problem, use the session number in its report')
    .argParser((text) => (text === '0' ? 0 : wholeNumber(text)))
    .default(0),
  new Option('--lanes <n>', 'number of concurrent sessions').argParser(wholeNumber).default(32),
];

const seconds = new Option('--seconds <n>', 'duration of faults in each test').argParser(wholeNumber).default(600);

const linearizeOptions = [
  seconds,
  new Option('--readers <n>', 'number of clients that read flags').argParser(wholeNumber).default(24),
];

const HELP = `
Exit code: 0 if no problem was found, 1 if a problem was found, 2 if the run failed, 130 if the run was interrupted.
Two runs with the same seed send the same inputs, but their timing differs.`;

/** The program. Its commands are the parts. @param onRun runs a part; `all` if no part is named */
export function createProgram(onRun: (part: PartName, options: Options) => Promise<void>): Command {
  const out = () => new Option('--out <folder>', 'folder for torture.json').argParser(userPath);
  const program = npmCommand(
    'torture',
    'Tests the host, npm start, and three hosts behind HAProxy with malformed input and killed processes. Runs one test, or all tests by default.',
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
  setUp(program, 'all', [seed, target(), ...fuzzOptions, ...linearizeOptions, out().default('docs/results')]);
  addPart('fuzz', 'sends odd handshakes, messages and HTTP requests', [seed, target(FUZZED), ...fuzzOptions]);
  addPart(
    'linearize',
    'kills and restarts the service while clients read and change flags. The target balanced requires HAProxy',
    [seed, target(), ...linearizeOptions],
  );
  addPart('plans', 'kills ticks and guards while operators plan and edit', [seed, seconds]);
  return program;
}
