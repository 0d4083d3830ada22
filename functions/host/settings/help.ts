import type { z } from 'zod';

/**
 * Describes the environment variables of a schema, one line each: name, meaning, allowed values if there are few, and
 * default.
 */
export function describeSettings(settings: Readonly<Record<string, z.ZodType>>): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  return Object.entries(settings)
    .map(
      ([name, setting]) =>
        `  ${name.padEnd(width)}  ${setting.description} (${choicesOf(setting)}${defaultOf(setting)})`,
    )
    .join('\n');
}

function choicesOf(setting: z.ZodType): string {
  const inner = 'unwrap' in setting && typeof setting.unwrap === 'function' ? setting.unwrap() : setting;
  return 'options' in inner ? `${(inner.options as string[]).join(' or ')}, ` : '';
}

function defaultOf(setting: z.ZodType): string {
  const { success, data } = setting.safeParse(undefined);
  if (!success) return 'required';
  return data === undefined ? 'default: none' : `default: ${data}`;
}
