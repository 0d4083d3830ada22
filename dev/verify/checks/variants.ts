import { type Config, readConfig } from '../../../infra/config/config.ts';
import type { Settings } from '../../../infra/config/settingsSchema.ts';
import settings from './variants.json' with { type: 'json' };

/** The configurations whose templates are checked: each stage, with defaults and with all settings. */
export const variants: Readonly<Record<string, Config>> = Object.fromEntries(
  Object.entries(settings as Readonly<Record<string, object>>).map(([name, each]) => [
    name,
    readConfig(each as Settings),
  ]),
);
