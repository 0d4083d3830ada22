import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Argument } from 'commander';
import { npmCommand } from '../shared/command/npmCommand.ts';

/** A file of results, and the commands that make it. */
interface ResultFile {
  /** What follows `npm run`, one after the other. */
  readonly commands: readonly string[];
  /** Holds date and commit. Pages are written by hand, from what the commands print. */
  readonly file: string;
}

const OUT = 'dist/results';
/** Above 20 new connections a second the answers to server SDKs fill a generator's core. */
const LOADS = ['reference', 'push', 'fanout', 'held', 'heartbeat', 'sdks --rates 20'];
const folder = (load: string) => `${OUT}/load/${load.split(' ')[0]}`;

const RESULTS: Readonly<Record<string, ResultFile>> = {
  functions: {
    commands: ['bench -- functions --out docs/results/functions.json', 'cost -- docs'],
    file: 'docs/results/functions.json',
  },
  idle: {
    commands: ['bench -- idle --out docs/results/host/idle.json', 'cost -- docs'],
    file: 'docs/results/host/idle.json',
  },
  window: {
    commands: ['bench -- window --out docs/results/serverless/window.json'],
    file: 'docs/results/serverless/window.json',
  },
  delivery: {
    commands: ['bench -- delivery --out docs/results/serverless/delivery.json'],
    file: 'docs/results/serverless/delivery.json',
  },
  limits: {
    commands: ['bench -- limits --out docs/results/serverless/limits.json'],
    file: 'docs/results/serverless/limits.json',
  },
  beside: {
    commands: ['bench -- beside --out docs/results/featbit/beside.json'],
    file: 'docs/results/featbit/beside.json',
  },
  host: {
    commands: ['bench -- host storm saturation held pair push --runs 3 --out docs/results/host/bench-host.json'],
    file: 'docs/results/host/bench-host.json',
  },
  soak: { commands: ['bench -- host soak --out docs/results/host/soak.json'], file: 'docs/results/host/soak.json' },
  load: {
    commands: [
      ...LOADS.map((load) => `loadtest -- ${load} --out ${folder(load)}`),
      `report -- ${LOADS.map(folder).join(' ')} --out ${OUT}/load`,
    ],
    file: 'docs/results/load.md',
  },
  torture: { commands: ['torture -- --target host gateway'], file: 'docs/results/torture.json' },
  mutation: { commands: ['mutate'], file: 'docs/results/mutation.md' },
};

const root = join(import.meta.dirname, '..');
const program = npmCommand('results', 'Lists the files of docs/results with their commands, or makes some again.')
  .addArgument(new Argument('[name...]', 'results to make again').choices(Object.keys(RESULTS)))
  .option('--list', 'list date, commit and commands of each (default without a name)')
  .addHelpText(
    'after',
    '\nUse a machine that does nothing else.\n\nExit code: 0 done, 1 a command failed, 2 wrong arguments.',
  )
  .parse();

if (program.args.length === 0 || program.opts<{ list?: boolean }>().list) {
  for (const [name, { file, commands }] of Object.entries(RESULTS)) {
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    const [commit = '–'] = /(?<=commit"?:? ?["`]?|`)[0-9a-f]{7,12}\b/.exec(text) ?? [];
    const [date = '–'] = /\b20\d\d-\d\d-\d\d/.exec(text) ?? [];
    console.log(
      [`${name.padEnd(10)} ${date}  ${commit}  ${file}`, ...commands.map((each) => `  npm run ${each}`)].join('\n'),
    );
  }
} else {
  for (const name of program.args) make(RESULTS[name] as ResultFile);
}

function make({ commands }: ResultFile): void {
  for (const command of commands) {
    const { status } = spawnSync('npm', ['run', '--silent', ...command.split(' ')], { cwd: root, stdio: 'inherit' });
    if (status === 0) continue;
    // A bound that is not kept is a result, too.
    console.error(`results: npm run ${command} ended with ${status ?? 'a signal'}`);
    process.exitCode = 1;
    if (status === null) return;
  }
}
