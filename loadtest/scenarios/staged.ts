import type { Load, Plan } from './plan.ts';
import { reference } from './reference.ts';

/** One stage: connections are opened over a ramp, and all send heartbeats until its end. Each rate is a stage. */
export function staged(load: Load): Plan {
  const ensure = [{ 'sync.p99': 200 }, { 'intended to reply.p99': 200 }, { 'errors.percent': 1 }];
  return { ...reference(load), ensure };
}
