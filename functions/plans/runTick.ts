import type { ReadGuards } from '../../shared/plans/planUpdate.ts';
import { Shares } from '../../shared/runtime/shares.ts';
import { advancePlan } from '../../shared/store/plans/applyPlan.ts';
import { textIn } from '../../shared/store/table/attributes.ts';
import { UnreadablePlan } from '../../shared/store/table/errors.ts';
import { type Key, keys } from '../../shared/store/table/keys.ts';
import { pagesUnder } from '../../shared/store/table/read.ts';
import type { Table } from '../../shared/store/table/table.ts';
import { sendTransaction } from '../../shared/store/table/transaction.ts';

/** Due entries that one tick looks at, shared between environments. The next tick continues. */
const ENTRY_LIMIT = 20_000;
/** Maximum number of due entries in one response. */
const PAGE = 1_000;
/** Maximum number of responses. Together, they have more entries than an environment may have, so that others are found. */
const PAGE_LIMIT = 100;
/** Environments at the same time, so that a large one delays no other. */
const CONCURRENCY = 10;

/**
 * Applies the steps that are due, in all environments. Ticks may overlap and may be killed: each step is applied once, because one
 * transaction writes the document and the progress of its plan.
 *
 * @param until no plan starts later, unix milliseconds
 * @param readGuards reads the guards of a plan before each step
 * @returns the failures. The next tick tries again
 */
export async function runTick(
  table: Table,
  until = Number.POSITIVE_INFINITY,
  readGuards?: ReadGuards,
): Promise<Error[]> {
  // By message, so that a plan with many entries fails once.
  const failures = new Map<string, Error>();
  // Nobody waits for a tick, so it need not wait to acknowledge its writes.
  const unwaited = { ...table, effects: { ...table.effects, elapse: async () => {} } };
  const environments = Map.groupBy(await dueEntries(unwaited), ({ envId }) => envId);
  const queue = [...environments.values()];
  const worker = async () => {
    // Environments take turns, so that none with many entries delays another.
    for (let entries = queue.shift(); entries; entries = queue.shift()) {
      const entry = entries.shift();
      if (!entry || table.effects.now() >= until) continue;
      const { envId, planId, key } = entry;
      try {
        await advancePlan(unwaited, envId, planId, key, readGuards).catch((cause) => setAside(unwaited, entry, cause));
      } catch (error) {
        const cause = error as Error;
        const message = `plan ${planId} of environment ${envId}: ${cause.message}`;
        failures.set(message, new Error(message, { cause }));
      }
      queue.push(entries);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return [...failures.values()];
}

interface DueEntry {
  readonly envId: string;
  readonly planId: string;
  readonly key: Key;
}

async function dueEntries(table: Table): Promise<DueEntry[]> {
  const { pk, sk } = keys.due(table.effects.now(), '~', '');
  const pages = pagesUnder(table, pk, {
    KeyConditionExpression: 'pk = :pk AND sk < :end',
    ExpressionAttributeValues: { ':end': sk },
    Limit: PAGE,
  });
  const shares = new Shares(ENTRY_LIMIT);
  const entries: DueEntry[] = [];
  let read = 0;
  for await (const items of pages) {
    for (const item of items) {
      const [, envId = '', planId = ''] = textIn(item, 'sk').split('#');
      if (shares.take(envId)) entries.push({ envId, planId, key: { pk, sk: { S: textIn(item, 'sk') } } });
    }
    if (++read >= PAGE_LIMIT) break;
  }
  return entries;
}

/**
 * Moves an entry behind all others that are due, because its plan failed. The next tick tries again. If the plan can never be read, the entry
 * is removed.
 *
 * @throws the cause
 */
async function setAside(table: Table, { envId, planId, key }: DueEntry, cause: unknown): Promise<never> {
  const Item = keys.due(table.effects.now(), envId, planId);
  // No plan has an entry of another form. An editor may have written it.
  const isForGood = cause instanceof UnreadablePlan || Item.sk.S.length !== key.sk.S.length;
  const put = isForGood ? [] : [{ Put: { TableName: table.name, Item } }];
  const remove = { Delete: { TableName: table.name, Key: key } };
  if (isForGood || Item.sk.S !== key.sk.S) {
    // If this fails too, the entry stays where it is.
    await sendTransaction(table, [...put, remove]).catch(() => {});
  }
  throw cause;
}
