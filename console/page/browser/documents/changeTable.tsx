import type { Change } from '../../../../shared/evaluation/documentChanges.ts';

/** What a change changes, before and after. */
export function ChangeTable({ changes, label }: { readonly changes: readonly Change[]; readonly label: string }) {
  if (changes.length === 0) return <p>Nothing changes.</p>;
  const isNew = changes.every(({ before }) => before === undefined);
  return (
    <table class="changes" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {!isNew && <th scope="col">Before</th>}
          <th scope="col">{isNew ? 'New value' : 'After'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change, index) => (
          <tr key={`${change.label} ${index}`}>
            <th scope="row">{change.label}</th>
            {!isNew && <td data-when="before">{isSaid(change.before) ? <del>{change.before}</del> : <None />}</td>}
            <td data-when="after">{isSaid(change.after) ? <ins>{change.after}</ins> : <None />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function isSaid(text: string | undefined): boolean {
  return text !== undefined && text !== '';
}

function None() {
  return <i class="none">none</i>;
}
