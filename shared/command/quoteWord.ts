/** A word as a shell reads it. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** An option and its value as a shell reads them. @returns nothing for a value that is usual */
export function optionWords(option: string, value: string | undefined, usual?: string): string[] {
  return value === undefined || value === usual ? [] : [option, quoteWord(value)];
}
