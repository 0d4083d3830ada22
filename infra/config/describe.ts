import { type Config, readConfig } from './config.ts';
import { listSettings, valueAt } from './settingsList.ts';

/**
 * The effective configuration as text, one `name = value` a line, without unset values. It contains no secret.
 *
 * @param source name of the settings file
 */
export function describeConfig(config: Config, source: string): string {
  const entries = Object.entries(config).flatMap(([name, value]) => flatten(name, value));
  const width = Math.max(...entries.map(([name]) => name.length));
  return [
    `Settings (${source}, and defaults for the rest):`,
    ...entries.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`),
  ].join('\n');
}

function flatten(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  if (Array.isArray(value)) return [[name, value.join(',')]];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name}.${key}`, part));
}

/** All settings as text: value, default and meaning. */
export function describeSettings(config: Config): string {
  const defaults = readConfig({ stage: config.stage });
  return listSettings()
    .flatMap(({ key, description, isGroup, default: byDefault = valueAt(defaults, key) }) => {
      if (isGroup) return [`${key}: ${description}`];
      return [`${key} = ${shown(valueAt(config, key))}   (default: ${shown(byDefault)})`, `    ${description}`];
    })
    .join('\n');
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
