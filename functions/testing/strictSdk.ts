import type { PatchContents } from '../../shared/delivery/sdk.ts';
import type { DataSync, WorldSdk } from './worldWires.ts';

/**
 * A server-side SDK that reports duplicates, wrong order, and patches with too many items, like those for Go and Java.
 */
export class StrictSdk implements WorldSdk {
  readonly type = 'server';
  readonly patchContents: PatchContents;
  /** Versions by flag. */
  readonly flags = new Map<string, number>();
  /** Messages that would make such an SDK drop its connection or lose an item. */
  readonly violations: string[] = [];
  connection: string | undefined;
  cursor = 0;
  isAnswered = false;

  constructor(patchContents: PatchContents = 'one-item') {
    this.patchContents = patchContents;
  }

  request(): DataSync {
    this.isAnswered = false;
    return { timestamp: this.cursor };
  }

  has() {
    return { cursor: this.cursor, versions: this.flags };
  }

  /** The reply to its data-sync. */
  answer(text: string): void {
    this.isAnswered = true;
    this.push(text);
  }

  /** Any later message. */
  push(text: string): void {
    if (!this.isAnswered) this.violations.push('a push came before the answer');
    const { eventType, featureFlags } = JSON.parse(text).data;
    const items: [string, number][] = featureFlags.map((flag: { key: string; updatedAt: string }) => [
      flag.key,
      Date.parse(flag.updatedAt),
    ]);
    const versions = items.map(([, at]) => at);
    const newest = Math.max(0, ...versions);
    const first = eventType === 'full' ? newest : Math.min(...versions);
    if (first <= this.cursor && items.length > 0) this.violations.push(`${first} came after ${this.cursor}`);
    if (eventType === 'full') this.flags.clear();
    else if (items.length > 1 && this.patchContents === 'one-item') this.violations.push('a patch of several items');
    for (const [key, at] of items) this.flags.set(key, at);
    this.cursor = eventType === 'full' ? newest : Math.max(this.cursor, newest);
  }
}
