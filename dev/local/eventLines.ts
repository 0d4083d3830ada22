import type { LiveEvent } from '../../console/live.ts';
import { formatEvent } from '../../console/page/logic/liveEventText.ts';
import { localAuthor } from '../../shared/command/author.ts';
import { plainText } from '../../shared/describe/plainText.ts';
import { printable } from '../../shared/protocol/printable.ts';
import type { BusEvent } from '../emulator/eventbridge/service.ts';

/** The subject of a line, which determines its color. */
export type LineKind = 'opened' | 'closed' | 'sync' | 'push' | 'refused' | 'event';

/** Lines a second at most. Those left out are counted. */
const LINES_A_SECOND = 40;
/** Prefixes of lines. */
const PREFIXES: Readonly<Partial<Record<LineKind, string>>> = { opened: '+ ', closed: '- ', refused: '! ' };

/**
 * Prints what passes through the gateway and the event bus, one line for each event.
 *
 * @param now unix milliseconds
 */
export function createEventLines(print: (line: string, kind: LineKind) => void, now: () => number = Date.now) {
  let second = 0;
  let events = 0;

  /** Prints how many lines were left out. To be called a few times a second. */
  function flush(): void {
    const current = Math.floor(now() / 1_000);
    if (current === second) return;
    if (events > LINES_A_SECOND) print(`… ${events - LINES_A_SECOND} more`, 'sync');
    second = current;
    events = 0;
  }

  function line(text: string, kind: LineKind): void {
    flush();
    if (events++ < LINES_A_SECOND) print(`${PREFIXES[kind] ?? ''}${text}`, kind);
  }

  return {
    flush,
    tell(event: LiveEvent): void {
      // The author of a change sees it anyway, and a push has its own line.
      if (event.type !== 'version') line(formatEvent(event), event.type);
    },
    /** Prints the event of a change or of a paused plan, or the new state of an alarm. */
    tellChange({ source, 'detail-type': type, detail }: BusEvent['event']): void {
      if (source === 'aws.cloudwatch') {
        const { alarmName, state } = detail as { alarmName?: string; state?: { value?: string } };
        line(`alarm: ${printable(`${alarmName} is ${state?.value}`)}`, 'event');
        return;
      }
      const { kind, key, name, by, reason } = detail;
      // Only paused plans have a reason.
      const text = reason === undefined ? `${kind === 'segment' ? name : key} by ${by}` : `${key}: ${reason}`;
      const own = localAuthor();
      line(`event: ${type} ${printable(plainText(text, { now: now(), own }))}`, 'event');
    },
  };
}
