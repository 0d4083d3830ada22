import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { compileSnapshot, type Snapshot } from '../../../../shared/evaluation/snapshot.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { Segment } from '../../../../shared/flags/segment.ts';
import { requireDocument, type StoredDocument } from '../../../../shared/store/documents/item.ts';
import type { FlagStore } from '../../../../shared/store/store.ts';
import { evaluatedItem, flagItem, type Item, type SdkUser, segmentItem } from '../../../support/sdkModel/message.ts';
import type { SdkStore } from '../../../support/sdkModel/sdkModel.ts';
import { userOf } from './documents.ts';
import type { Report } from './faults.ts';
import type { Fixture } from './fixture.ts';

/** Compiles the stored documents. */
export function snapshotOf(envId: string, stored: readonly StoredDocument[]): Snapshot {
  const documents = stored.map(requireDocument);
  const of = <T>(kind: 'flag' | 'segment') =>
    documents.filter((each) => each.kind === kind).map(({ document }) => document as T);
  const version = Math.max(0, ...stored.map(({ updatedAt }) => updatedAt));
  return compileSnapshot({ envId, version, flags: of<Flag>('flag'), segments: of<Segment>('segment') });
}

/** The items of a snapshot for a reader: documents, or evaluated flags for a client-type reader. */
export function expectedItems({ flags, segments }: Snapshot, user: SdkUser | undefined): Item[] {
  if (user) return flags.map((flag) => evaluatedItem(JSON.parse(flag.evaluate(userOf(user)).clientJson)));
  return [
    ...flags.map(({ json }) => flagItem(JSON.parse(json))),
    ...segments.map(({ json }) => segmentItem(JSON.parse(json))),
  ];
}

/** Compares what a reader holds, when all has come to rest, with what it must hold. */
export function compareWithStore(reader: string, expected: readonly Item[], { items }: SdkStore, report: Report): void {
  for (const { name, version, json } of expected) {
    const held = items.get(name);
    if (!held || held.version < version) {
      report('lost', `${reader}: at rest it holds ${name} of ${held?.version}; the store has ${version}`);
    } else if (!isDeepStrictEqual(held.json, json)) {
      const texts = [held.json, json].map((each) => JSON.stringify(each).slice(0, 200));
      report('stale', `${reader}: at rest it holds ${texts[0]} where the store gives ${texts[1]}`);
    }
  }
  if (items.size > expected.length) report('stale', `${reader}: at rest it holds what the store no longer has`);
}

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
