import type { Change } from '../../../../shared/describe/documentChanges.ts';

interface ChangeTableProps {
  readonly changes: readonly Change[];
  readonly label: string;
  /** Names of the columns if both sides are current. Default: before and after. */
  readonly sides?: readonly [before: string, after: string];
}

/** The differences of a change, or between two environments. */
export function ChangeTable({ changes, label, sides }: ChangeTableProps) {
  if (changes.length === 0) return <p>Nothing changes.</p>;
  const isNew = !sides && changes.every(({ before }) => before === undefined);
  const [before, after] = sides ?? ['Before', isNew ? 'New value' : 'After'];
  return (
    <table class="changes" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {!isNew && <th scope="col">{before}</th>}
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change, index) => (
          <tr key={`${change.label} ${index}`}>
            <th scope="row">{change.label}</th>
            {!isNew && (
              <td data-side={before}>
                <Value text={change.before} as={sides ? 'span' : 'del'} />
              </td>
            )}
            <td data-side={after}>
              <Value text={change.after} as={sides ? 'span' : 'ins'} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ text, as: Element }: { readonly text: string | undefined; readonly as: 'span' | 'del' | 'ins' }) {
  return text ? <Element>{text}</Element> : <i class="none">none</i>;
}
