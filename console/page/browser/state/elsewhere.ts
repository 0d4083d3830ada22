import { signal } from '@preact/signals';
import type { FlagState } from '../../../elsewhere.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { environments, useEnvironment } from './session.ts';

/** The last answer, by environment and key, so that a view shows it at once. */
const known = signal<ReadonlyMap<string, ReadonlyMap<string, FlagState>> | undefined>(undefined);

/** The states of flags in other environments that can be read, production first. Undefined until there is an answer. */
export function useElsewhere() {
  const { id: env } = useEnvironment();
  const hasOthers = (environments.value?.length ?? 0) > 1;
  const ask = async () => {
    const answer = await request('GET environments/:env/elsewhere', { env });
    known.value = new Map(answer.others.map(({ id, flags }) => [id, new Map(flags)]));
    return answer;
  };
  usePolled(hasOthers ? ask : undefined, [env, hasOthers]);
  if (hasOthers && !known.value) return;
  const all = (environments.value ?? []).toSorted((a, b) => Number(b.isProduction) - Number(a.isProduction));
  return all.flatMap(({ id, name }) => {
    const states = id === env ? undefined : known.value?.get(id);
    return states ? [{ id, name, states }] : [];
  });
}
