/** A part of a bar, in percent. */
interface SharePart {
  readonly name: string;
  readonly percent: number;
}

const TINTS = 6;

/** A bar of shares, with a legend. */
export function ShareBar({ parts }: { readonly parts: readonly SharePart[] }) {
  const shown = parts.filter(({ percent }) => percent > 0);
  return (
    <div class="shares">
      <div class="bar" aria-hidden="true">
        {shown.map(({ name, percent }, index) => (
          <span key={name} class={`tint-${index % TINTS}`} style={{ flexGrow: percent }} />
        ))}
      </div>
      <ul>
        {shown.map(({ name, percent }, index) => (
          <li key={name}>
            <span class={`dot tint-${index % TINTS}`} aria-hidden="true" />
            <code>{name}</code> {percent} %
          </li>
        ))}
      </ul>
    </div>
  );
}
