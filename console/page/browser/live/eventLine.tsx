import { eventSign, formatEvent } from '../../logic/liveEventText.ts';
import type { LiveEntry } from '../state/live.ts';

export function EventLine({ entry }: { readonly entry: LiveEntry }) {
  return (
    <li class={`event ${entry.type}`}>
      <span class="sign" aria-hidden="true">
        {eventSign(entry)}
      </span>
      <span>{formatEvent(entry)}</span>
      {'at' in entry && <time>{new Date(entry.at).toLocaleTimeString()}</time>}
    </li>
  );
}
