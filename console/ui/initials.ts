/**
 * The initials of an author in the history: of the name in front of `@`, the last part of an ARN, or the person who made
 * a plan. At most two letters.
 */
export function initials(by: string): string {
  const name = by
    .replace(/^(?:plan \S+|a plan) of /, '')
    .replace(/(?: \(| on |@|,).*/, '')
    .replace(/.*\//, '');
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.slice(0, 2).map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0));
  return letters.join('').toUpperCase() || '?';
}
