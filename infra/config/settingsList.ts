import { z } from 'zod';
import { settingsSchema } from './settingsSchema.ts';

/** A setting, or a group of them. */
export interface Setting {
  /** Path in the file, such as `domain.name`. */
  readonly key: string;
  readonly description: string;
  /** Absent if there is none, or if it depends on other settings. */
  readonly default?: unknown;
  readonly isGroup: boolean;
  /** Whether it is a whole number. */
  readonly isWhole: boolean;
}

interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
}

/** All settings, each group before its members. */
export function listSettings(): Setting[] {
  return settingsIn(z.toJSONSchema(settingsSchema, { unrepresentable: 'any' }) as JsonSchema, '');
}

function settingsIn({ properties = {} }: JsonSchema, prefix: string): Setting[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const key = `${prefix}${name}`;
    const isGroup = schema.properties !== undefined;
    const { description = '', default: value } = schema;
    const isWhole = schema.type === 'integer';
    const setting = { key, description, isGroup, isWhole, ...(value !== undefined && !isGroup && { default: value }) };
    return [setting, ...settingsIn(schema, `${key}.`)];
  });
}

/** The value under a key such as `domain.name`. Undefined if there is none. */
export function valueAt(settings: unknown, key: string): unknown {
  return key
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], settings);
}
