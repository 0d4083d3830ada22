import type { EnvironmentName } from '../../../api.ts';
import { Heading } from '../../../ui/heading.tsx';
import { FIRST_VIEW, formatRoute } from '../../logic/route.ts';

/** Asks which environment to open if all are production and none was used before. */
export function ChooseEnvironment({ environments }: { readonly environments: readonly EnvironmentName[] }) {
  return (
    <>
      <Heading title="Choose an environment" lead="All environments are marked as production." />
      <ul class="list">
        {environments.map(({ id, name }) => (
          <li key={id}>
            <a href={formatRoute({ envId: id, view: FIRST_VIEW })}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
