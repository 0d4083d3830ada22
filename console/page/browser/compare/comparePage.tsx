import type { EnvironmentName } from '../../../api.ts';
import { Choice } from '../../../ui/choice.tsx';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { Field } from '../../../ui/field.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { go } from '../state/route.ts';
import { addEnvironment, environments } from '../state/session.ts';
import { Comparison } from './comparison.tsx';

interface ComparePageProps {
  /** The environment that is looked at: flags are copied to it. */
  readonly environment: EnvironmentName;
  /** The id of the other environment; the first other one unless given. */
  readonly sourceId: string | undefined;
}

/** How the flags of another environment differ, and a way to copy them. */
export function ComparePage({ environment, sourceId }: ComparePageProps) {
  const others = (environments.value ?? []).filter(({ id }) => id !== environment.id);
  const source = others.find(({ id }) => id === sourceId) ?? others[0];
  if (!source) {
    return (
      <EmptyState title="There is no other environment">
        <p>Create another environment to compare it with “{environment.name}”, and to copy flags.</p>
        <button type="button" class="primary" onClick={addEnvironment}>
          New environment
        </button>
      </EmptyState>
    );
  }
  return (
    <>
      <Heading
        title="Compare"
        lead={
          <>
            Flags that differ between two environments. Open a flag to see its differences. Select flags to copy them,
            with the segments that they use, to <b>{environment.name}</b>.
          </>
        }
      />
      <Field label="Compare with">
        {({ id }) => (
          <Choice
            id={id}
            label="Compare with"
            value={source.id}
            options={others.map((each) => ({ value: each.id, text: each.name }))}
            onChange={(chosen) => go({ envId: environment.id, view: 'compare', id: chosen })}
          />
        )}
      </Field>
      <Comparison key={`${environment.id} ${source.id}`} source={source} target={environment} />
    </>
  );
}
