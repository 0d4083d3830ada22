import type { Change } from '../../logic/changes.ts';

/** What a change changes, before and after. */
export function ChangeTable({ changes, label }: { readonly changes: readonly Change[]; readonly label: string }) {
  if (changes.length === 0) return <p>Nothing changes.</p>;
  return (
    <table class="changes" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.label}>
            <th scope="row">{change.label}</th>
            <td>{change.before === undefined ? <i class="none">nothing</i> : <del>{shown(change.before)}</del>}</td>
            <td>{change.after === undefined ? <i class="none">nothing</i> : <ins>{shown(change.after)}</ins>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(text: string): string {
  return text === '' ? '(empty)' : text;
}
