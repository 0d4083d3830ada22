import { setTimeout as sleep } from 'node:timers/promises';
import type { FlagStore } from '../../../../shared/store/store.ts';
import type { Cast } from './cast.ts';
import { compareAtRest, expectedItems, snapshotOf } from './expected.ts';
import type { Report } from './faults.ts';

/** How long readers have to come to rest when the faults are over. */
const REST_MS = 60_000;

/** Waits until every reader holds what the store holds. Reports what has not come to be when the time is over. */
export async function waitForRest(
  store: FlagStore,
  { envId, readers }: Cast,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  for (const reader of readers) reader.calm();
  const snapshot = snapshotOf(envId, await store.documents.load(envId));
  for (const end = performance.now() + REST_MS; !signal.aborted; await sleep(100)) {
    const differences: Parameters<Report>[] = [];
    for (const { name, check } of readers) {
      const { holding, isInSync } = check;
      if (!holding || !isInSync) differences.push(['unanswered', `${name}: at rest it is not in sync`]);
      else {
        const expected = expectedItems(snapshot, holding.user);
        compareAtRest(name, expected, holding.replica, (...difference) => void differences.push(difference));
      }
    }
    if (differences.length > 0 && performance.now() < end) continue;
    for (const difference of differences) report(...difference);
    return;
  }
}
