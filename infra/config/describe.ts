import { wrapText } from '../../shared/command/wrapText.ts';
import { type Config, readConfig } from './config.ts';
import { listSettings, valueAt } from './settingsList.ts';

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
