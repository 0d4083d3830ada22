import { useState } from 'preact/hooks';
import {
  withChangedVariation,
  withoutVariation,
  withVariation,
} from '../../../../shared/flags/edits/variationEdits.ts';
import type { Flag, Variation } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { withChangedVariation, withoutVariation, withVariation } from '../../../../shared/flags/edits/variationEdits.ts';
import { DescriptionList, Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { useOpened } from '../../../ui/opened.ts';
import { Dot } from '../../../ui/shareBar.tsx';
import { InlineForm } from '../documents/inlineForm.tsx';
import type { FlagEditProps } from './rolloutFields.tsx';
import { defaultName, VariationRows } from './variationRow.tsx';

const EDIT = 'edit-variations';

/** The values that a flag can serve. */
export function VariationsSection({ flag, onChange }: FlagEditProps) {
  const { opened, open, close } = useOpened(() => EDIT);
  const edit = !flag.isArchived && opened === undefined && (
    <Button text="Edit" id={EDIT} kind="small" label="Edit the variations" onClick={() => open(EDIT)} />
  );
  return (
    <Section title="Variations" about={`Type ${flag.variationType}. The type cannot be changed.`} actions={edit}>
      {opened ? (
        <VariationsForm flag={flag} onChange={onChange} onClose={close} />
      ) : (
        <DescriptionList
          class="variations"
          items={flag.variations.map(({ id, value }, index) => [
            <>
              <Dot index={index} />
              {nameOfVariation(flag, id)}
            </>,
            <code>{value}</code>,
          ])}
        />
      )}
    </Section>
  );
}

function VariationsForm({ flag, onChange, onClose }: FlagEditProps & { readonly onClose: () => void }) {
  const [rows, setRows] = useState<readonly Variation[]>(flag.variations);
  return (
    <InlineForm onDone={() => onChange(withVariations(flag, rows))} onClose={onClose}>
      <VariationRows type={flag.variationType} rows={rows} least={1} onChange={setRows} />
    </InlineForm>
  );
}

/** @throws {InvalidInput} for a value of another type, a duplicate name, or a removed variation that is still served */
function withVariations(flag: Flag, rows: readonly Variation[]): Flag {
  const removed = flag.variations.filter(({ id }) => !rows.some((row) => row.id === id));
  const kept = removed.reduce(withoutVariation, flag);
  return rows.reduce((changed, row, index) => {
    const named = { ...row, name: row.name || defaultName(flag.variationType, row.value, index) };
    const before = flag.variations.find(({ id }) => id === row.id);
    if (!before) return withVariation(changed, named);
    const isUnchanged = before.value === row.value && before.name === row.name;
    return isUnchanged ? changed : withChangedVariation(changed, before, { name: named.name, value: row.value });
  }, kept);
}
