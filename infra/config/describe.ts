import { wrapText } from '../../shared/command/wrapText.ts';
import { type Config, readConfig } from './config.ts';
import { listSettings, valueAt } from './settingsList.ts';

/**
 * The effective configuration as text, one `name = value` a line, without unset values. It contains no secret.
 *
 * @param sources where the settings come from
 */
export function describeConfig(config: Config, sources: string): string {
  const entries = Object.entries(config).flatMap(([name, value]) => flatten(name, value));
  const width = Math.max(...entries.map(([name]) => name.length));
  return [`Settings (${sources}):`, ...entries.map(([name, value]) => `  ${name.padEnd(width)} = ${value}`)].join('\n');
}

function flatten(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  if (Array.isArray(value)) return [[name, value.join(',')]];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${name}.${key}`, part));
}

const INDENT = ' '.repeat(4);

/** All settings as text: value, default and meaning. Settings of a group that is off have the values that they would get. */
export function describeSettings(config: Config): string {
  const defaults = readConfig({ stage: config.stage });
  return listSettings()
    .flatMap(({ key, description, isGroup, default: byDefault = valueAt(defaults, key) }) => {
      const value = valueAt(config, key);
      if (isGroup) return ['', `${key}${value === undefined ? ' (off)' : ''}`, ...wrapText(description, INDENT)];
      return [
        `${key} = ${shown(value ?? byDefault)}   (default: ${shown(byDefault)})`,
        ...wrapText(description, INDENT),
      ];
    })
    .join('\n');
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
