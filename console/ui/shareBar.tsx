/** A part of a bar, in percent. */
interface SharePart {
  readonly name: string;
  readonly percent: number;
  /** Position of the variation in the flag, which decides its colour. Default: its position in the bar. */
  readonly index?: number;
}

/** Number of colours of variations, which repeat. */
const TINTS = 6;

/** The background of the variation at a position in the flag. */
export function tint(index: number) {
  return { background: `var(--tint-${Math.max(0, index) % TINTS})` };
}

/** A dot in the colour of a variation. @param index position in the flag */
export function Dot({ index }: { readonly index: number }) {
  return <span class="dot" style={tint(index)} aria-hidden="true" />;
}

/** A bar of shares, with a legend. */
export function ShareBar({ parts }: { readonly parts: readonly SharePart[] }) {
  const shown = parts.map((part, position) => ({ index: position, ...part })).filter(({ percent }) => percent > 0);
  return (
    <div class="shares">
      <div class="bar" aria-hidden="true">
        {shown.map(({ name, percent, index }) => (
          <span key={name} style={{ ...tint(index), flexGrow: percent }} />
        ))}
      </div>
      <ul>
        {shown.map(({ name, percent, index }) => (
          <li key={name}>
            <Dot index={index} />
            <code>{name}</code> {percent} %
          </li>
        ))}
      </ul>
    </div>
  );
}
