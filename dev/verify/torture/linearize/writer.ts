import { setTimeout as sleep } from 'node:timers/promises';
import type { Document } from '../../../../shared/flags/document.ts';
import { type Effects, systemEffects } from '../../../../shared/runtime/effects.ts';
import { requireDocument, type StoredDocument } from '../../../../shared/store/documents/item.ts';
import type { Random } from '../random.ts';
import type { Service } from '../service.ts';
import { FLAG_KEYS, KEY_IDS, markedFlag, SEGMENT_IDS, segmentOf } from './documents.ts';
import type { Report } from './faults.ts';
import { flagItem, type Item, segmentItem } from './items.ts';
import type { WriteLog } from './writeLog.ts';

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

/** Writes as the command line does, with its own clock. */
export class Writer {
  readonly counts = { acknowledged: 0, failed: 0, slowestMs: 0 };
  readonly #deps: WriterDeps;
  readonly #effects: Effects;
  #written = 0;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
    const skew = deps.random.between(-SKEW_MS, SKEW_MS / 3);
    this.#effects = { ...systemEffects, now: () => Date.now() + skew };
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#attempt();
      await sleep(this.#deps.random.between(0, PAUSE_MS), undefined, { signal }).catch(() => {});
    }
  }

  /** Writes once. A failed write may be stored, if a process was killed during it. */
  async #attempt(): Promise<void> {
    const { writes, name, report } = this.#deps;
    const mark = `${name}-${this.#written++}`;
    const newest = writes.begin(mark);
    const startedAt = performance.now();
    try {
      const items = (await this.#write(mark)).map(itemOf);
      const at = performance.now();
      this.counts.acknowledged++;
      this.counts.slowestMs = Math.max(this.counts.slowestMs, at - startedAt);
      writes.acknowledge(items, at);
      const late = items.find(({ version }) => version <= newest);
      if (late) report('out of order', `${late.name} of ${late.version} was written after ${newest} was acknowledged`);
    } catch {
      this.counts.failed++;
    }
  }

  #write(mark: string): Promise<StoredDocument[]> {
    const { random, envId } = this.#deps;
    const store = this.#deps.open(this.#effects);
    const kind = random.next();
    if (kind < 0.05) {
      const included = KEY_IDS.filter(() => random.chance(0.5));
      const id = random.pick(SEGMENT_IDS);
      return store.documents.writeSegment(envId, id, () => segmentOf(id, included));
    }
    if (kind < 0.15) {
      const some = FLAG_KEYS.filter(() => random.chance(0.1));
      const documents = some.map((key): Document => ({ kind: 'flag', document: markedFlag(key, mark) }));
      return store.documents.import(envId, documents);
    }
    const key = random.pick(FLAG_KEYS);
    return store.documents.writeFlag(envId, key, () => markedFlag(key, mark));
  }
}

/** A written document as an item. */
export function itemOf(stored: StoredDocument): Item {
  const { kind, document } = requireDocument(stored);
  return kind === 'flag' ? flagItem(document) : segmentItem(document);
}
