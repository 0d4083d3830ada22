import { wholeNumber } from '../../../shared/command/numbers.ts';
import { begin, benchCommand, progress } from '../benchmark.ts';

/** Message groups of an environment where each of its shards has one. */
const ALL_GROUPS = 16;
/** Data-syncs of a client that asks in a loop. */
const LOOP = 1_000;

interface Options {
  readonly clients: number;
  readonly connections: number;
  readonly rate: number;
  readonly flags: number;
}

const command = benchCommand('limits')
  .option('--clients <n>', 'clients that come at once to a new account', wholeNumber, 200)
  .option('--connections <n>', 'connections of the large one of two environments', wholeNumber, 1_000)
  .option('--rate <n>', 'messages a second of all deliveries to them', wholeNumber, 400)
  .option('--flags <n>', 'flags of the environment whose changes are counted', wholeNumber, 3_000)
  .addHelpText('after', '\nRuns on the emulator, which counts units as DynamoDB does, in some six minutes.');
const { options, report } = begin<Options>(command);
process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT';
// Loaded when they are needed: --help and a wrong option answer at once.
const { twoChanges } = await import('./fairness.ts');
const { measureCrowd, MOMENTS } = await import('./healing.ts');
const { changeUse, loopUse } = await import('./tableUse.ts');

const { clients, connections, rate, flags } = options;
progress(`a change in an environment of ${flags} flags`);
const changes = await changeUse(flags, [0, 1, 16, connections]);
const loop = await loopUse(LOOP);
const units = ['calls', 'requests', 'read units', 'write units'];
report([
  {
    title: `A change in an environment of ${flags} flags that was quiet, with four instances`,
    head: ['connections', ...units],
    rows: changes.map(({ connections: held, use }) => [held, use.calls, use.requests, use.readUnits, use.writeUnits]),
    notes: ['Until all connections have the change and every instance has read it; calls of publish and deliver.'],
  },
  {
    title: 'Data-syncs of one connection in a loop, on one instance',
    head: ['data-syncs', 'answered', ...units.slice(1)],
    rows: [[LOOP, loop.answered, loop.requests, loop.readUnits, loop.writeUnits]],
  },
]);

progress(`two environments, ${connections} connections and one, at ${rate} messages a second`);
const fairness = [
  ['a message group for each shard', await twoChanges(connections, rate, ALL_GROUPS)],
  ['the stack’s groups', await twoChanges(connections, rate)],
] as const;
report([
  {
    title: `A change to ${connections} connections, and right after it one to another environment’s only connection`,
    head: ['', 'large: ms until all have it', 'small'],
    rows: fairness.map(([name, { large, small }]) => [name, Math.round(large), Math.round(small)]),
  },
]);

const crowds = [];
for (const isHealed of [false, true]) {
  progress(`${clients} clients at once in a new account, ${isHealed ? '' : 'not '}healed: ${MOMENTS.at(-1)} s`);
  crowds.push([isHealed ? 'healed' : 'not healed', await measureCrowd(clients, isHealed)] as const);
}
report([
  {
    title: `${clients} clients at once in an account of ten concurrent executions`,
    head: ['', ...MOMENTS.map((s) => `have flags after ${s} s`), 'refused', 'ended', 'errors as answers'],
    rows: crowds.map(([name, { served, refused, ended, errorReplies }]) => [
      name,
      ...served,
      refused,
      ended,
      errorReplies,
    ]),
    notes: ['Half of them are server-side. They come back after the pauses of FeatBit’s Node SDK.'],
  },
]);
process.exit();
