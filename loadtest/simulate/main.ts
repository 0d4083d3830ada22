import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeCommit, describeMachine } from '../../dev/support/machine.ts';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { COMPARED_HEAD, comparedRow, isClose } from './against/compare.ts';
import { compareAll } from './against/compareAll.ts';
import { simulateMatrix } from './command/matrix.ts';
import { type Options, SCENARIOS, type Scenario, simulateCommand } from './command/options.ts';
import { simulate } from './command/simulation.ts';
import { ACCOUNTS, QUOTA_SOURCES, raisedTo } from './quotas/account.ts';
import { resultsPage, scalePage } from './result/page.ts';
import { HEAD, rowOf, seconds } from './result/rows.ts';
import { deliverySettings } from './scenarios/deliverySettings.ts';
import { expectedTimes, timeRanges } from './scenarios/times.ts';

const docs = join(import.meta.dirname, '../../docs');
const RESULTS = join(docs, 'results/simulation.json');
const COMPARISON = join(docs, 'results/simulation-emulator.json');
const say = (line: string) => console.error(`… ${line}`);
const command = simulateCommand().parse();
const options = command.opts<Options>();
if (options.changed > options.environments) {
  command.error(`error: --changed ${options.changed} is more than --environments ${options.environments}`);
}
try {
  if (options.againstEmulator) process.exitCode = await against(options.againstEmulator, options);
  else if (options.write) write();
  else print(command.args as Scenario[], options);
} catch (error) {
  console.error(`simulate: ${(error as Error).message}`);
  process.exitCode = 1;
}

function print(named: readonly Scenario[], given: Options): void {
  const account = raisedTo(ACCOUNTS[given.account], given);
  const { environments, sdks, seed, over, changed, deliveries, deliveryRate } = given;
  const results = given.connections.flatMap((connections) =>
    simulate(
      {
        scenarios: named.length > 0 ? named : SCENARIOS,
        population: { connections, environments, sdks, account, times: expectedTimes(), seed },
        overSeconds: over,
        settings: deliverySettings(account, deliveries, deliveryRate),
        changed,
      },
      (scenario, nowMs) => say(`${scenario} of ${connections.toLocaleString('en')}: ${seconds(nowMs)} simulated`),
    ),
  );
  if (given.json) {
    console.log(JSON.stringify({ account, sources: QUOTA_SOURCES, times: timeRanges(), results }, null, 2));
    return;
  }
  console.log(figuresTable(HEAD, results.map(rowOf)));
  console.log('Times of the service, in milliseconds:');
  for (const [name, { expected, meaning, source }] of Object.entries(timeRanges())) {
    console.log(`  ${name} ${expected.toFixed(1)}: ${meaning}; ${source}`);
  }
}

function write(): void {
  const sections = simulateMatrix(say);
  const commit = describeCommit('loadtest/simulate', 'cost', 'infra/config', 'dev/emulator');
  save(RESULTS, { commit, sources: QUOTA_SOURCES, times: timeRanges(), sections });
  writePages();
}

async function against(sizes: readonly number[], { seed, json, write: isKept }: Options): Promise<number> {
  const { compared, invalid } = await compareAll(sizes, seed, say);
  if (json) console.log(JSON.stringify({ compared, invalid }, null, 2));
  else console.log(figuresTable(COMPARED_HEAD, compared.map(comparedRow)));
  for (const why of invalid) console.error(`INVALID: ${why}`);
  if (isKept) {
    const { cpu, cores } = describeMachine();
    save(COMPARISON, { commit: describeCommit(), machine: `${cores} cores of ${cpu}`, compared, invalid });
    writePages();
  }
  return invalid.length === 0 && compared.every(isClose) ? 0 : 1;
}

/** The pages are made of the results that are kept. */
function writePages(): void {
  const { sections, commit } = JSON.parse(readFileSync(RESULTS, 'utf8'));
  const comparison = existsSync(COMPARISON) ? JSON.parse(readFileSync(COMPARISON, 'utf8')) : undefined;
  writeFileSync(join(docs, 'results/simulation.md'), resultsPage(sections, commit, comparison));
  writeFileSync(join(docs, 'scale.md'), scalePage(sections, commit));
  say('wrote docs/results/simulation.md and docs/scale.md');
}

function save(path: string, content: object): void {
  writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`);
}
