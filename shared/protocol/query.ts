/**
 * The values that a query gives one name, in order. Names count in any letter case, as on FeatBit's server.
 *
 * @param name in lower case
 */
export function queryValues(parameters: Iterable<readonly [name: string, value: string]>, name: string): string[] {
  return Array.from(parameters)
    .filter(([given]) => given.toLowerCase() === name)
    .map(([, value]) => value);
}
