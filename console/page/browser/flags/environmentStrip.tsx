import type { Flag } from '../../../../shared/flags/flag.ts';
import { flagState } from '../../../elsewhere.ts';
import { formatRoute, inEnvironment } from '../../logic/route.ts';
import { useElsewhere } from '../state/elsewhere.ts';
import { route } from '../state/route.ts';
import { environments, useEnvironment } from '../state/session.ts';

/** The state of a flag in each environment, with links to the same tab there. Empty with one environment. */
export function EnvironmentStrip({ flag }: { readonly flag: Flag }) {
  const current = useEnvironment();
  const others = useElsewhere() ?? [];
  const shown = (environments.value ?? []).flatMap(({ id, name }) => {
    if (id === current.id) return { id, name, state: flagState(flag) };
    const other = others.find((each) => each.id === id);
    return other ? { id, name, state: other.states.get(flag.key) ?? ('missing' as const) } : [];
  });
  if ((environments.value?.length ?? 0) < 2) return null;
  return (
    <nav class="strip" aria-label={`${flag.key} in each environment`}>
      {shown.map(({ id, name, state }) => (
        <a
          key={id}
          class={state}
          href={formatRoute(inEnvironment(route.value, id))}
          aria-current={id === current.id ? 'page' : undefined}
        >
          <span>
            {name} <b>{state}</b>
          </span>
        </a>
      ))}
    </nav>
  );
}
