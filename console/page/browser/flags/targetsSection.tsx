import { withoutTarget, withTarget } from '../../../../shared/flags/edits/flagEdits.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { Section } from '../../../ui/blocks.tsx';
import { listMissing } from '../../../ui/mergeTexts.ts';
import { Dot } from '../../../ui/shareBar.tsx';
import { PASTE_HINT, TextList } from '../../../ui/textList.tsx';
import type { FlagEditProps } from './rolloutFields.tsx';

/** Users who get a variation regardless of rules. */
export function TargetsSection({ flag, onChange }: FlagEditProps) {
  const change = (variationId: string, before: readonly string[], after: readonly string[]) => {
    const added = listMissing(after, before);
    const removed = listMissing(before, after);
    const without = removed.length > 0 ? withoutTarget(flag, removed) : flag;
    const changed = added.length > 0 ? withTarget(without, variationId, added) : without;
    onChange({ ...changed, targetUsers: changed.targetUsers.filter(({ keyIds }) => keyIds.length > 0) });
  };
  return (
    <Section
      title="Individual targets"
      about={`Evaluated first. These users get the chosen variation, regardless of rules. ${PASTE_HINT}`}
    >
      <div class="targets">
        {flag.variations.map((variation, index) => {
          const name = nameOfVariation(flag, variation.id);
          const keyIds = flag.targetUsers.find(({ variationId }) => variationId === variation.id)?.keyIds ?? [];
          return (
            <div key={variation.id}>
              <p class="label">
                Serve <Dot index={index} />
                <code class="value">{name}</code> to
              </p>
              <TextList
                label={`users served ${name}`}
                items={keyIds}
                placeholder="user key (keyId)"
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
