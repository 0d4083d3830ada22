import type { Effects } from '../../shared/runtime/effects.ts';
import { Pace } from '../gateway/pace.ts';
import { requireNumber } from './environment.ts';

/** The rate of posts from an instance to connections, set by the stack in the environment. */
export function paceFromEnv(effects: Pick<Effects, 'monotonic' | 'pause'>): Pace {
  return new Pace(requireNumber('POSTS_PER_SECOND'), effects);
}
