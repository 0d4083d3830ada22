import type { LiveEvent } from '../../live.ts';

/** Something that happened, or how many lines were left out. */
type Entry = LiveEvent | { readonly type: 'left-out'; readonly count: number };

/** The sign of an event, as `npm start` prints it. */
export function signOf({ type }: Entry): string {
  return { opened: '+', closed: '−', refused: '!', sync: '⇄', push: '→', version: '·', 'left-out': '…' }[type];
}

/** What happened, in words. */
export function textOf(event: Entry): string {
  switch (event.type) {
    case 'opened':
      return `${nameOf(event)} connected`;
    case 'closed':
      return `${nameOf(event)} left after ${duration(event.afterMs)} (${event.code})`;
    case 'refused':
      return `a connection was refused with ${event.status}`;
    case 'sync': {
      const ofSegments = event.segments > 0 ? `, ${count(event.segments, 'segment')}` : '';
      return `sync ${event.user || 'of a server'}: ${count(event.flags, 'flag')}${ofSegments} in ${event.ms} ms`;
    }
    case 'push':
      return `push ${event.document} to ${event.reached} in ${event.ms} ms`;
    case 'version':
      return 'something was changed';
    case 'left-out':
      return `${event.count} more, too quick to show`;
  }
}

function nameOf({ kind, sdk }: { readonly kind: string; readonly sdk: string }): string {
  return `${kind === 'relay' ? 'FeatBit’s agent' : `${kind} SDK`}${sdk ? ` (${sdk})` : ''}`;
}

function duration(ms: number): string {
  return ms < 90_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
