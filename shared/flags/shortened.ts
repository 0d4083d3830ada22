/** A text, with `…` in place of what exceeds a number of characters. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
