import { counted } from '../../../shared/describe/servedText.ts';
import { formatDuration } from '../../../shared/flags/timestamp.ts';
import { printable } from '../../../shared/protocol/printable.ts';
import { flagCount } from '../../flagBatch.ts';
import type { ConnectionType, LiveEvent, OpenConnection } from '../../live.ts';

/** An event, or the number of dropped lines. */
type Entry = LiveEvent | { readonly type: 'left-out'; readonly count: number };

type Client = Pick<OpenConnection, 'kind' | 'sdk'>;

/** Maximum length of an SDK's name or a user, in characters. */
const NAME_LIMIT = 60;

/** The sign in front of an event. */
export function eventSign({ type }: Entry): string {
  return { opened: '+', closed: '−', refused: '!', sync: '⇄', push: '→', version: '·', 'left-out': '…' }[type];
}

/** Describes an event, without control characters. `npm start` prints the same text. @param nameOf the name of a segment by its id */
export function formatEvent(event: Entry, nameOf: (documentId: string) => string = String): string {
  switch (event.type) {
    case 'opened':
      return `${formatClient(event)} connected`;
    case 'closed': {
      const why = event.code === 1006 ? 'code 1006, connection lost' : `code ${event.code}`;
      return `${formatClient(event)} disconnected after ${formatDuration(event.afterMs)} (${why})`;
    }
    case 'refused': {
      const isThrottled = event.status === 429;
      const why = isThrottled ? 'too many at once for this account' : 'check its SDK key and its clock';
      return `a connection was refused with ${event.status}: ${why}`;
    }
    case 'sync': {
      const who = event.user === '' ? 'server' : printable(event.user, NAME_LIMIT);
      const ofSegments = event.segments > 0 ? `, ${counted(event.segments, 'segment')}` : '';
      const sent = event.flags + event.segments > 0 ? `${flagCount(event.flags)}${ofSegments}` : 'nothing new';
      return `sync ${who}: ${sent} in ${formatDuration(event.ms)}`;
    }
    case 'push':
      return `push ${nameOf(event.document)} to ${event.reached} in ${formatDuration(event.ms)}`;
    case 'version':
      return 'the environment changed';
    case 'left-out':
      return `${event.count} more events were too fast to show`;
  }
}

/** The name of an SDK, or its type. Some SDKs, such as FeatBit's for Node, send no name. */
export function sdkName({ kind, sdk }: Client): string {
  if (sdk !== '') return `${typeText(kind)}: ${printable(sdk, NAME_LIMIT)}`;
  return `${typeText(kind)} without a name${kind === 'server' ? ' (for example Node)' : ''}`;
}

function formatClient({ kind, sdk }: Client): string {
  return `${typeText(kind)}${sdk === '' ? '' : ` (${printable(sdk, NAME_LIMIT)})`}`;
}

function typeText(kind: ConnectionType): string {
  return kind === 'relay' ? 'FeatBit’s agent' : `${kind} SDK`;
}
