import { signal } from '@preact/signals';
import type { PlanQuery } from '../../../schemas.ts';
import type { AskedPlans } from '../../logic/plans.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { content } from './content.ts';

/** How many changes of plans this page has made. */
const changes = signal(0);

/** Lets the page read plans again, because this page has changed one. */
export function notePlans(): void {
  changes.value += 1;
}

/** The plans of a flag or segment, or all open plans of an environment. */
export function usePlans(envId: string, query: PlanQuery = {}): AskedPlans {
  const ask = () => request('GET environments/:env/plans', { env: envId, query });
  return usePolled(ask, [envId, query.kind, query.id, content.value?.version, changes.value]);
}
