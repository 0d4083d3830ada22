import { setTimeout as sleep } from 'node:timers/promises';
import { runTick } from '../../../../functions/plans/runTick.ts';
import { isUntouched } from '../../../../shared/plans/planContent.ts';
import { contentOf } from '../../../../shared/store/documents/item.ts';
import { type FlagStore, openStore } from '../../../../shared/store/store.ts';
import { createDynamoDb } from '../../../../shared/store/table/table.ts';
import { ofRepository, RunningProcess } from '../../../support/runningProcess.ts';
import type { LinearizeOptions } from '../linearize/runLinearize.ts';
import { type PartOutcome, Problems, say } from '../part.ts';
import { Random } from '../random.ts';
import { TableProcess } from '../tableProcess.ts';

/** Kills processes that tick, plan, edit and fire guards. At the end, plans, history and flags must agree. */
export async function plans({ seed, seconds }: LinearizeOptions, signal: AbortSignal): Promise<PartOutcome> {
  const problems = new Problems(say);
  const counts = { kills: 0, plans: 0, steps: 0, undos: 0 };
  const table = await TableProcess.start();
  const { flags } = table.tables;
  const client = createDynamoDb();
  const store = openStore({ client, flags });
  const isOver = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)]);
  try {
    const envId = (await store.environments.create('storm')).environment.id;
    const torment = async (n: number) => {
      for (const random = new Random(seed, n); !isOver.aborted; counts.kills++) {
        const args = [flags, envId, String(random.below(2 ** 31))];
        const worker = new RunningProcess(ofRepository('dev/verify/torture/plans/worker.ts', args));
        await sleep(random.between(1_500, 12_000), undefined, { signal: isOver }).catch(() => {});
        await worker.stop();
      }
    };
    await Promise.all([1, 2, 3, 4, 5].map(torment));
    if (!signal.aborted) {
      // After the last step of each plan.
      await sleep(5_000);
      for (const { message } of await runTick({ client, name: flags, effects: store.effects })) problems.add(message);
      Object.assign(counts, await checkPlans(store, envId, problems));
    }
  } finally {
    await table.stop();
    store.close();
  }
  return { part: 'plans', target: 'tick', seed, counts, problems };
}

/** Compares the plans of an environment with its history and its flags. @returns the number of plans, applied steps and undos */
export async function checkPlans(store: FlagStore, envId: string, problems: Problems) {
  const counts = { plans: 0, steps: 0, undos: 0 };
  const history = (await Array.fromAsync(store.history.entries(envId))).reverse();
  for (const plan of await store.plans.list(envId, 'all')) {
    const { id, documentId, steps, state } = plan;
    const own = history.filter(({ by }) => by.includes(` ${id} `));
    // `step 1 of 2`, or `undo of the applied steps`.
    const changes = own.map(({ command }) => command.split(' ', 2).join(' '));
    const applied = changes.filter((change) => change !== 'undo of');
    const marked = steps.flatMap(({ outcome }, n) => (/applied|undone/.test(outcome.kind) ? [`step ${n + 1}`] : []));
    if (applied.join() !== marked.join()) problems.add(`${id} has ${marked}, but the history ${applied}`);
    if (/(^|undo of,)undo of/.test(changes.join())) problems.add(`${id} was undone twice`);
    if (state.kind === 'running') problems.add(`${id} is stuck`);
    const stored = await store.documents.find(envId, 'flag', documentId);
    const isNewest = own.some(({ version }) => version === stored?.updatedAt);
    if (isNewest && !isUntouched(plan, contentOf(stored))) problems.add(`${id} differs from its flag`);
    counts.plans += 1;
    counts.steps += applied.length;
    counts.undos += changes.length - applied.length;
  }
  return counts;
}
