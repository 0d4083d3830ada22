import type { Flag } from '../../../../shared/flags/flag.ts';
import { withoutTarget, withTarget } from '../../../../shared/flags/flagEdits.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { TextList } from '../../../ui/textList.tsx';
import { Section } from '../documents/section.tsx';

interface TargetsSectionProps {
  readonly flag: Flag;
  readonly onChange: (flag: Flag) => void;
}

/** Users who get a variation whatever the rules say. */
export function TargetsSection({ flag, onChange }: TargetsSectionProps) {
  const change = (variationId: string, before: readonly string[], after: readonly string[]) => {
    const added = after.filter((keyId) => !before.includes(keyId));
    const removed = before.filter((keyId) => !after.includes(keyId));
    const without = removed.length > 0 ? withoutTarget(flag, removed) : flag;
    const changed = added.length > 0 ? withTarget(without, variationId, added) : without;
    onChange({ ...changed, targetUsers: changed.targetUsers.filter(({ keyIds }) => keyIds.length > 0) });
  };
  return (
    <Section title="Individual users" about="By key id, whatever the rules say.">
      <div class="targets">
        {flag.variations.map((variation) => {
          const name = nameOfVariation(variation);
          const keyIds = flag.targetUsers.find(({ variationId }) => variationId === variation.id)?.keyIds ?? [];
          return (
            <div key={variation.id}>
              <p class="label">
                get <code class="value">{name}</code>
              </p>
              <TextList
                label={`users who get ${name}`}
                items={keyIds}
                placeholder="key id"
                disabled={flag.isArchived}
                onChange={(after) => change(variation.id, keyIds, after)}
              />
            </div>
          );
        })}
      </div>
    </Section>
  );
}
