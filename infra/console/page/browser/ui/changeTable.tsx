import type { Change } from '../../logic/changes.ts';

/** What a change changes, before and after. */
export function ChangeTable({ changes, label }: { readonly changes: readonly Change[]; readonly label: string }) {
  if (changes.length === 0) return <p>Nothing changes.</p>;
  const isNew = changes.every(({ before }) => before === undefined);
  return (
    <table class="changes" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">What</th>
          {!isNew && <th scope="col">Before</th>}
          <th scope="col">{isNew ? 'Is to be' : 'After'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change, index) => (
          <tr key={`${change.label} ${index}`}>
            <th scope="row">{change.label}</th>
            {!isNew && (
              <td data-when="before">
                {change.before === undefined ? <i class="none">nothing</i> : <del>{shown(change.before)}</del>}
              </td>
            )}
            <td data-when="after">
              {change.after === undefined ? <i class="none">nothing</i> : <ins>{shown(change.after)}</ins>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(text: string): string {
  return text === '' ? '(empty)' : text;
}
