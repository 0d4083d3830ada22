/** A part of a bar, in percent. */
interface SharePart {
  readonly name: string;
  readonly percent: number;
}

/** Colours of variations, which repeat. */
const TINTS = [
  'var(--accent)',
  'color-mix(in oklab, var(--accent) 45%, var(--raised))',
  'color-mix(in oklab, var(--accent) 60%, var(--text))',
  'color-mix(in oklab, var(--accent) 25%, var(--raised))',
  'color-mix(in oklab, var(--accent) 30%, var(--text))',
  'color-mix(in oklab, var(--accent) 70%, var(--raised))',
];

/** The background of the variation at a position. */
export function tint(index: number) {
  return { background: TINTS[index % TINTS.length] ?? '' };
}

/** A bar of shares, with a legend. */
export function ShareBar({ parts }: { readonly parts: readonly SharePart[] }) {
  const shown = parts.filter(({ percent }) => percent > 0);
  return (
    <div class="shares">
      <div class="bar" aria-hidden="true">
        {shown.map(({ name, percent }, index) => (
          <span key={name} style={{ ...tint(index), flexGrow: percent }} />
        ))}
      </div>
      <ul>
        {shown.map(({ name, percent }, index) => (
          <li key={name}>
            <span class="dot" style={tint(index)} aria-hidden="true" />
            <code>{name}</code> {percent} %
          </li>
        ))}
      </ul>
    </div>
  );
}
