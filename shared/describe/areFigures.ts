/** A number with or without emphasis, sign, currency and unit, but no date. */
const FIGURE = /^(?:\*\*)?(?:at least |[<>≤≥±+−–-]\s?)?[$€]?\d(?!\d{3}-\d)/;

/** True for a column that has figures in half of its cells or more. Dashes and empty cells do not count. */
export function areFigures(texts: readonly string[]): boolean {
  const given = texts.filter((text) => text !== '' && text !== '–');
  return given.length > 0 && given.filter((text) => FIGURE.test(text)).length >= given.length / 2;
}
