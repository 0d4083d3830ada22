/** Maximum length of a flag's key (`FLAG_KEY_PATTERN`). */
const KEY_LIMIT = 128;

/** Suggests the key of a new flag: the name in lower case, without accents, with hyphens between its words. May be empty. */
export function keyFromName(name: string): string {
  const words = name.replaceAll('ß', 'ss').normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return words
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replace(/^-/, '')
    .slice(0, KEY_LIMIT)
    .replace(/-$/, '');
}
