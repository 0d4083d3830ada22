import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from '../../../../shared/flags/document.ts';
import { type Effects, systemEffects } from '../../../../shared/runtime/effects.ts';
import { requireDocument, type StoredDocument } from '../../../../shared/store/documents/item.ts';
import { flagItem, type Item, segmentItem } from '../../../support/sdkModel/message.ts';
import type { WriteLog } from '../../../support/sdkModel/writeLog.ts';
import type { Random } from '../random.ts';
import type { Service } from '../service.ts';
import { FLAG_KEYS, KEY_IDS, markedFlag, SEGMENT_IDS, segmentOf } from './documents.ts';
import type { Report } from './faults.ts';

/** Maximum difference between the clocks of writers, in milliseconds. */
const SKEW_MS = 1_500;

/** Pause between two writes of one writer, at most. */
const PAUSE_MS = 500;

/** Dependencies of a writer. */
interface WriterDeps {
  readonly name: string;
  readonly envId: string;
  readonly open: Service['open'];
  readonly writes: WriteLog;
  readonly random: Random;
  readonly report: Report;
}

/** Makes a client that writes as the command line does, with its own clock. */
export function createWriter({ name, envId, open, writes, random, report }: WriterDeps) {
  const counts = { acknowledged: 0, failed: 0, slowestMs: 0 };
  const skew = random.between(-SKEW_MS, SKEW_MS / 3);
  const effects: Effects = { ...systemEffects, now: () => Date.now() + skew };
  let written = 0;

  /** Writes once. A failed write may be stored, if a process was killed during it. */
  async function attempt(): Promise<void> {
    const mark = `${name}-${written++}`;
    const newest = writes.begin(mark);
    const startedAt = performance.now();
    try {
      const items = (await write(mark)).map(itemOf);
      const at = performance.now();
      counts.acknowledged++;
      counts.slowestMs = Math.max(counts.slowestMs, at - startedAt);
      writes.acknowledge(items, at);
      const late = items.find(({ version }) => version <= newest);
      if (late) report('out of order', `${late.name} of ${late.version} was written after ${newest} was acknowledged`);
    } catch {
      counts.failed++;
    }
  }

  function write(mark: string): Promise<StoredDocument[]> {
    const { documents } = open(effects);
    const kind = random.next();
    if (kind < 0.05) {
      const included = KEY_IDS.filter(() => random.chance(0.5));
      const id = random.pick(SEGMENT_IDS);
      return documents.writeSegment(envId, id, () => segmentOf(id, included));
    }
    if (kind < 0.15) {
      const some = FLAG_KEYS.filter(() => random.chance(0.1));
      return documents.import(
        envId,
        some.map((key): Document => ({ kind: 'flag', document: markedFlag(key, mark) })),
      );
    }
    const key = random.pick(FLAG_KEYS);
    return documents.writeFlag(envId, key, () => markedFlag(key, mark));
  }

  return {
    counts,
    async run(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        await attempt();
        await sleep(random.between(0, PAUSE_MS), undefined, { signal }).catch(() => {});
      }
    },
  };
}

/** A written document as an item. */
export function itemOf(stored: StoredDocument): Item {
  const { kind, document } = requireDocument(stored);
  return kind === 'flag' ? flagItem(document) : segmentItem(document);
}
