import { setTimeout as sleep } from 'node:timers/promises';
import type { FlagStore } from '../../../../shared/store/store.ts';
import { compareWithStore, expectedItems, snapshotOf } from './expected.ts';
import type { Report } from './faults.ts';
import type { Fixture } from './fixture.ts';

/** Maximum time until readers are in sync after the last fault. */
const QUIESCENCE_DEADLINE_MS = 60_000;

/** Waits until every reader has the items of the store. Reports the differences after the deadline. */
export async function waitForQuiescence(
  store: FlagStore,
  { envId, readers }: Fixture,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  for (const reader of readers) reader.calm();
  const snapshot = snapshotOf(envId, await store.documents.load(envId));
  for (const end = performance.now() + QUIESCENCE_DEADLINE_MS; !signal.aborted; await sleep(100)) {
    const differences: Parameters<Report>[] = [];
    for (const { name, model } of readers) {
      if (!model.check.isInSync) differences.push(['unanswered', `${name}: at rest it is not in sync`]);
      else {
        const expected = expectedItems(snapshot, model.user);
        compareWithStore(name, expected, model.store, (...difference) => void differences.push(difference));
      }
    }
    if (differences.length > 0 && performance.now() < end) continue;
    for (const difference of differences) report(...difference);
    return;
  }
}
