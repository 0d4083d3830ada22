import { EmptyState, Heading } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { go, route } from '../state/route.ts';
import { addEnvironment, environments, may, useEnvironment } from '../state/session.ts';
import { Comparison } from './comparison.tsx';

interface ComparePageProps {
  /** Id of the other environment. Default: the first one. */
  readonly otherId: string | undefined;
  /** True if flags are copied to the current environment. */
  readonly isReversed: boolean;
}

/** Compares the flags of two environments, and copies selected ones. */
export function ComparePage({ otherId, isReversed }: ComparePageProps) {
  const environment = useEnvironment();
  const others = (environments.value ?? []).filter(({ id }) => id !== environment.id);
  const other = others.find(({ id }) => id === otherId) ?? others[0];
  if (!other) {
    return (
      <EmptyState title="There is no other environment">
        <p>Create another environment to compare it with “{environment.name}”, and to copy flags.</p>
        <Button text="New environment" kind="primary" disabled={!may('administrator')} onClick={addEnvironment} />
      </EmptyState>
    );
  }
  return (
    <>
      <Heading
        title="Compare"
        lead="Flags that differ between two environments. Select flags to copy them, with the segments that they use."
      />
      <ChoiceField
        label="Compare with"
        value={other.id}
        options={others.map((each) => ({ value: each.id, text: each.name }))}
        onChange={(id) => go({ ...route.value, id })}
      />
      <Comparison key={`${environment.id} ${other.id}`} current={environment} other={other} isReversed={isReversed} />
    </>
  );
}
