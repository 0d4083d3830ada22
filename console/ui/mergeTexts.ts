/**
 * Adds one or several texts to a list. They are separated by new lines, commas, semicolons or tabs.
 *
 * @returns the list, the number of added texts, and the number of duplicates
 */
export function mergeTexts(items: readonly string[], text: string) {
  const given = text.split(/[\n\r,;\t]/).flatMap((each) => each.trim() || []);
  const merged = new Set(items);
  for (const each of given) merged.add(each);
  const added = merged.size - new Set(items).size;
  return { items: [...merged], added, repeated: given.length - added };
}

/** Texts that the other list lacks. */
export function listMissing(texts: readonly string[], other: readonly string[]): string[] {
  const known = new Set(other);
  return texts.filter((text) => !known.has(text));
}
