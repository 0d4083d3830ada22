import type { Flag } from '../../../../shared/flags/flag.ts';
import { Section } from '../../../ui/blocks.tsx';
import { TextField } from '../../../ui/field.tsx';
import { TextList } from '../../../ui/textList.tsx';

type General = Pick<Flag, 'name' | 'description' | 'isArchived'> & Partial<Pick<Flag, 'tags'>>;

interface GeneralSectionProps<D extends General> {
  readonly document: D;
  readonly onChange: (document: D) => void;
}

/** Name and description of a flag or segment. */
export function GeneralSection<D extends General>({ document, onChange }: GeneralSectionProps<D>) {
  const { name, description, tags, isArchived } = document;
  return (
    <Section title="Details">
      <div class="two">
        <TextField
          label="Name"
          value={name}
          disabled={isArchived}
          onInput={(text) => onChange({ ...document, name: text })}
        />
        <TextField
          label="Description"
          value={description}
          rows={2}
          disabled={isArchived}
          onInput={(text) => onChange({ ...document, description: text })}
        />
      </div>
      {tags && (
        <>
          <p class="label">Tags</p>
          <TextList
            label="tags"
            items={tags}
            placeholder="tag"
            disabled={isArchived}
            onChange={(changed) => onChange({ ...document, tags: changed })}
          />
        </>
      )}
    </Section>
  );
}
