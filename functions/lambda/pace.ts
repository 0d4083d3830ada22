import type { Effects } from '../../shared/runtime/effects.ts';
import { Pace } from '../push/pace.ts';
import { requireNumber } from './environment.ts';

/** The pace at which an instance posts to connections, as the stack names it in the environment. */
export function paceFromEnv(effects: Pick<Effects, 'monotonic' | 'pause'>): Pace {
  return new Pace(requireNumber('POSTS_PER_SECOND'), effects);
}
