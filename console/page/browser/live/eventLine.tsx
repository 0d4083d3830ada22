import { signOf, textOf } from '../../logic/happening.ts';
import type { Happening } from '../state/live.ts';

/** One thing that happened. */
export function EventLine({ happening }: { readonly happening: Happening }) {
  return (
    <li class={`event ${happening.type}`}>
      <span class="sign" aria-hidden="true">
        {signOf(happening)}
      </span>
      <span>{textOf(happening)}</span>
      {'at' in happening && <time>{new Date(happening.at).toLocaleTimeString()}</time>}
    </li>
  );
}
