import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber, wholeNumbers } from '../../../shared/command/numbers.ts';
import { parseMix, type SdkMix } from '../../scenarios/sdks.ts';
import { ACCOUNTS } from '../quotas/account.ts';

/** What can be simulated. */
export const SCENARIOS = ['storm', 'wave', 'push'] as const;

/** One of {@link SCENARIOS}. */
export type Scenario = (typeof SCENARIOS)[number];

/** What the command line says. */
export interface Options {
  readonly connections: readonly number[];
  readonly environments: number;
  readonly changed: number;
  readonly over: number;
  readonly sdks: SdkMix;
  readonly account: keyof typeof ACCOUNTS;
  readonly requests?: number;
  readonly newConnections?: number;
  readonly concurrency?: number;
  readonly tableWrites?: number;
  readonly deliveries?: number;
  readonly deliveryRate?: number;
  readonly seed: number;
  readonly json?: boolean;
  readonly write?: boolean;
  readonly againstEmulator?: readonly number[];
}

const HELP = `
Scenarios, all unless some are named:
  storm   everybody connects, over some seconds
  wave    the storm's connections end two hours later, and come back
  push    a change to the connections of an environment, while all ping

A million connections take some minutes at most and 800 MB: two hours are simulated, no longer.
Exit code: 0 done, 1 it failed or does not agree with the emulator, 2 wrong arguments.

Example:
  npm run simulate -- push --connections 1000000 --account raised --requests 200000 --deliveries 64`;

/** The command, before it reads its arguments. */
export function simulateCommand(): Command {
  return npmCommand('simulate', 'Simulates connect storms, reconnect waves and pushes on AWS, within its quotas.')
    .addArgument(new Argument('[scenarios...]').choices(SCENARIOS))
    .option(
      '--connections <n,...>',
      'how many, up to 1,000,000',
      upTo(1_000_000, wholeNumbers),
      [1_000, 10_000, 100_000],
    )
    .option('--environments <n>', 'environments they are spread over, up to 10,000', upTo(10_000, wholeNumber), 1)
    .option('--changed <n>', 'environments that are changed at once, of push', wholeNumber, 1)
    .option('--over <s>', 'seconds in which they connect, of storm', wholeNumber, 60)
    .addOption(
      new Option('--sdks <mix>', 'SDKs in percent, such as js-client=80,go=20')
        .argParser(mix)
        .default(mix('js-client'), 'js-client'),
    )
    .addOption(new Option('--account <name>', 'whose quotas hold').choices(Object.keys(ACCOUNTS)).default('default'))
    .option('--requests <n>', 'API Gateway requests a second, in place of the account’s', wholeNumber)
    .option('--new-connections <n>', 'new connections a second', wholeNumber)
    .option('--concurrency <n>', 'concurrent executions of Lambda', wholeNumber)
    .option('--table-writes <n>', 'write units a second of the connections table', wholeNumber)
    .option(
      '--deliveries <n>',
      'calls of deliver at once; the stack’s (flagwire:deliverConcurrency) unless given',
      upTo(1_000, wholeNumber),
    )
    .option(
      '--delivery-rate <n>',
      'posts a second of all of them; two fifths of the requests unless given',
      wholeNumber,
    )
    .option('--seed <n>', 'of random choices: the same gives the same result', wholeNumber, 1)
    .option('--json', 'results as JSON')
    .option('--write', 'write docs/results/simulation.md and .json, and docs/scale.md')
    .option(
      '--against-emulator <n,...>',
      'run the emulator with so many connections too, and compare',
      upTo(15_000, wholeNumbers),
    )
    .addHelpText('after', HELP);
}

function mix(text: string): SdkMix {
  try {
    return parseMix(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

function upTo<T extends number | number[]>(most: number, parse: (text: string) => T): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if ([value].flat().some((each) => each > most)) {
      throw new InvalidArgumentError(`must be ${most.toLocaleString('en')} at most.`);
    }
    return value;
  };
}
