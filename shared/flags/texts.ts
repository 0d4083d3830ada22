import { InvalidInput } from './invalidInput.ts';

/** Texts as they are stored: trimmed, each once, none empty. */
export function cleanTexts(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => text.trim() || []))];
}

/** Tags that an operator types, as in {@link cleanTexts}. @throws {InvalidInput} for a blank one */
export function readTags(texts: readonly string[]): string[] {
  if (texts.some((text) => text.trim() === '')) throw new InvalidInput('a tag must not be blank');
  return cleanTexts(texts);
}

/** A text, with `…` in place of what exceeds a number of characters. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}
