import type { EnvironmentName } from '../../../api.ts';
import { context } from '../state/session.ts';

/** The environment that a dialog changes, and the operator. */
export function ChangePlace({ environment }: { readonly environment: EnvironmentName }) {
  return (
    <p class="lead">
      In <b>{environment.name}</b>
      {environment.isProduction && (
        <>
          {' '}
          <span class="badge warning">production</span>
        </>
      )}
      , as {context.value?.by}.
    </p>
  );
}
