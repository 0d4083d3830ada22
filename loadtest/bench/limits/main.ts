import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommit, describeMachine } from '../../../dev/support/machine.ts';
import { npmCommand } from '../../../shared/command/npmCommand.ts';
import { wholeNumber } from '../../../shared/command/numbers.ts';
import { withSection } from '../../results/pageSections.ts';
import { twoChanges } from './fairness.ts';
import { crowd } from './healing.ts';
import { judgeNewAccount } from './newAccount.ts';
import { type LimitsResult, sectionsOf } from './result.ts';
import { changeUse, loopUse } from './tableUse.ts';

const { clients, connections, rate, write } = npmCommand(
  'bench:limits',
  'What clients meet where AWS refuses, and what changes and loops take, on the emulator: in some six minutes.',
)
  .option('--clients <n>', 'clients that come at once to a new account', wholeNumber, 200)
  .option('--connections <n>', 'connections of the large one of two environments', wholeNumber, 1_000)
  .option('--rate <n>', 'messages a second of all deliveries to them', wholeNumber, 400)
  .option('--no-write', 'leave docs/results/serverless.md and docs/results/serverless/limits.json as they are')
  .addHelpText(
    'after',
    '\nNothing leaves this machine. The tables’ units are the emulator’s, which counts as DynamoDB does.',
  )
  .parse()
  .opts<{ clients: number; connections: number; rate: number; write: boolean }>();

/** Flags of the environment whose changes are counted, and its connections. */
const FLAGS = 3_000;
const HELD = [0, 1, 16, 1_000];
/** Data-syncs of a client that asks in a loop. */
const LOOP = 1_000;
/** Message groups of an environment as it was: one for each of its shards. */
const ALL_GROUPS = 16;

/** A deployment that a new account has no room for. */
const LARGE = {
  'flagwire:syncReservedConcurrency': 100,
  'flagwire:deliverConcurrency': 16,
  'flagwire:throttlingRate': 10_000,
};

process.env['POWERTOOLS_LOG_LEVEL'] = 'SILENT';
progress(`a change in an environment of ${FLAGS} flags`);
const change = await changeUse(FLAGS, HELD);
progress(`${LOOP} data-syncs of one connection`);
const loop = await loopUse(LOOP);
progress(`two environments, ${connections} connections and one, at ${rate} messages a second`);
const fairness = {
  before: await twoChanges(connections, rate, ALL_GROUPS),
  after: await twoChanges(connections, rate),
};
progress(`${clients} clients at once in a new account, not healed: 130 s`);
const unhealed = await crowd(clients, false);
progress(`${clients} clients at once in a new account, healed: 130 s`);
const healed = await crowd(clients, true);
const result: LimitsResult = {
  at: new Date().toISOString(),
  commit: describeCommit('functions', 'shared', 'infra'),
  machine: { ...describeMachine(), node: process.version },
  flags: FLAGS,
  change,
  loop,
  connections,
  rate,
  fairness,
  crowd: { before: unhealed, after: healed },
  newAccount: [judgeNewAccount({}), judgeNewAccount(LARGE)],
};
const sections = sectionsOf(result);
for (const [heading, text] of Object.entries(sections)) console.log(`## ${heading}\n\n${text}`);
if (write) {
  const results = join(import.meta.dirname, '../../../docs/results');
  mkdirSync(join(results, 'serverless'), { recursive: true });
  writeFileSync(join(results, 'serverless/limits.json'), `${JSON.stringify(result, null, 2)}\n`);
  const path = join(results, 'serverless.md');
  let page = existsSync(path) ? readFileSync(path, 'utf8') : '# The serverless path, measured\n';
  for (const [heading, text] of Object.entries(sections)) page = withSection(page, heading, text);
  writeFileSync(path, page);
  progress('wrote docs/results/serverless.md and docs/results/serverless/limits.json');
}
process.exit();

function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
