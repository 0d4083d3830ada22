/** A list with what was added to it. */
interface MergedTexts {
  readonly items: readonly string[];
  readonly added: number;
  /** How many were there already, or were given twice. */
  readonly repeated: number;
}

/** Adds texts to a list: one, or several that are separated by new lines, commas, semicolons or tabs. */
export function mergeTexts(items: readonly string[], text: string): MergedTexts {
  const given = text.split(/[\n\r,;\t]/).flatMap((each) => each.trim() || []);
  const merged = new Set(items);
  for (const each of given) merged.add(each);
  const added = merged.size - new Set(items).size;
  return { items: [...merged], added, repeated: given.length - added };
}

/** The texts of a list that another one lacks. */
export function listMissing(texts: readonly string[], other: readonly string[]): string[] {
  const known = new Set(other);
  return texts.filter((text) => !known.has(text));
}
