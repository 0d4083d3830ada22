import type { LiveEvent } from '../../console/live.ts';
import { printable } from '../../shared/protocol/printable.ts';

/** What a line is about, which decides its colour. */
export type LineKind = 'opened' | 'closed' | 'sync' | 'push' | 'refused';

/** Lines a second at most: what is left out is counted. */
const LINES_A_SECOND = 40;
/** Characters of what a client calls itself, or its user. */
const NAME_LIMIT = 60;

/** Tells of what passes through the gateway in one line each. */
export class EventLines {
  readonly #print: (line: string, kind: LineKind) => void;
  readonly #now: () => number;
  #second = 0;
  #printed = 0;
  #leftOut = 0;

  /** @param now unix milliseconds */
  constructor(print: (line: string, kind: LineKind) => void, now: () => number = Date.now) {
    this.#print = print;
    this.#now = now;
  }

  tell(event: LiveEvent): void {
    // The terminal tells of who makes a change, or of whom it reaches.
    if (event.type === 'version') return;
    this.flush();
    if (this.#printed >= LINES_A_SECOND) {
      this.#leftOut++;
      return;
    }
    this.#printed++;
    this.#print(formatLine(event), event.type);
  }

  /** Tells how many lines were left out. To be called now and then. */
  flush(): void {
    const second = Math.floor(this.#now() / 1_000);
    if (second === this.#second) return;
    if (this.#leftOut > 0) this.#print(`… ${this.#leftOut} more`, 'sync');
    this.#second = second;
    this.#printed = this.#leftOut = 0;
  }
}

function formatLine(event: Exclude<LiveEvent, { readonly type: 'version' }>): string {
  switch (event.type) {
    case 'opened':
      return `+ ${formatName(event)}`;
    case 'closed':
      return `- ${formatName(event)} after ${Math.round(event.afterMs / 1_000)} s (${event.code})`;
    case 'refused': {
      const isThrottled = event.status === 429;
      const why = isThrottled ? 'too many at once for this account' : 'is its key one of this table, its clock right?';
      return `! a connection was refused with ${event.status}: ${why}`;
    }
    case 'sync': {
      const who = event.user === '' ? 'server' : printable(event.user, NAME_LIMIT);
      const ofSegments = event.segments > 0 ? `, ${count(event.segments, 'segment')}` : '';
      return `sync ${who}: ${count(event.flags, 'flag')}${ofSegments} in ${event.ms} ms`;
    }
    case 'push':
      return `push ${event.document} to ${event.reached} in ${event.ms} ms`;
  }
}

function formatName({ kind, sdk }: Extract<LiveEvent, { readonly type: 'opened' | 'closed' }>): string {
  const called = sdk === '' ? '' : `, ${printable(sdk, NAME_LIMIT)}`;
  return `${kind === 'relay' ? 'FeatBit’s agent' : `${kind} SDK`}${called}`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
