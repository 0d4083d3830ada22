/**
 * The values of a query parameter, in order. Names ignore case, as on FeatBit's server.
 *
 * @param name in lower case
 */
export function queryValues(parameters: readonly (readonly [name: string, value: string])[], name: string): string[] {
  return parameters.filter(([given]) => given.toLowerCase() === name).map(([, value]) => value);
}
