import type { LiveEvent } from '../../console/live.ts';
import { formatEvent } from '../../console/page/logic/liveEventText.ts';
import { printable } from '../../shared/protocol/printable.ts';
import type { BusEvent } from '../emulator/eventbridge/service.ts';

/** The subject of a line, which determines its color. */
export type LineKind = 'opened' | 'closed' | 'sync' | 'push' | 'refused' | 'event';

/** Lines a second at most. Those left out are counted. */
const LINES_A_SECOND = 40;
/** Prefixes of lines. */
const PREFIXES: Readonly<Partial<Record<LineKind, string>>> = { opened: '+ ', closed: '- ', refused: '! ' };

/** Prints what passes through the gateway and the event bus, one line for each event. */
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
    // The author of a change sees it anyway, and a push has its own line.
    if (event.type === 'version') return;
    this.#tell(formatEvent(event), event.type);
  }

  /** Prints the event of a change or of a paused plan, or the new state of an alarm. */
  tellChange({ source, 'detail-type': type, detail }: BusEvent['event']): void {
    if (source === 'aws.cloudwatch') {
      const { alarmName, state } = detail as { alarmName?: string; state?: { value?: string } };
      this.#tell(`alarm: ${printable(`${alarmName} is ${state?.value}`)}`, 'event');
      return;
    }
    const { key, version, by, reason } = detail;
    // Paused plans have a reason, and no version.
    const text = reason === undefined ? `${key} version ${version} by ${by}` : `${key}: ${reason}`;
    this.#tell(`event: ${type} ${printable(text)}`, 'event');
  }

  #tell(text: string, kind: LineKind): void {
    this.flush();
    if (this.#printed >= LINES_A_SECOND) {
      this.#leftOut++;
      return;
    }
    this.#printed++;
    this.#print(`${PREFIXES[kind] ?? ''}${text}`, kind);
  }

  /** Prints how many lines were left out. To be called a few times a second. */
  flush(): void {
    const second = Math.floor(this.#now() / 1_000);
    if (second === this.#second) return;
    if (this.#leftOut > 0) this.#print(`… ${this.#leftOut} more`, 'sync');
    this.#second = second;
    this.#printed = this.#leftOut = 0;
  }
}
