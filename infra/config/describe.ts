import type { Config } from './config.ts';

/**
 * The effective configuration for an operator to read, one `name = value` a line; what is not set is left out. Nothing in
 * it is secret.
 */
export function describeConfig(config: Config): string {
  const entries = Object.entries(config).flatMap(([name, value]) => flatten(name, value));
  const width = Math.max(...entries.map(([name]) => name.length));
  return [
    'Flagwire is configured as follows (context of cdk.json, or -c key=value):',
    ...entries.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`),
  ].join('\n');
}

function flatten(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name}.${key}`, part));
}
