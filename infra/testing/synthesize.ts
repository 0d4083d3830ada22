import type { Config } from '../config/config.ts';
import { synthesizeTemplates } from '../inProcess.ts';

const byConfig = new Map<string, string>();

/** The templates of a configuration by stack name, as JSON, synthesized once. */
export function synthesizeOnce(config: Config): string {
  const key = JSON.stringify(config);
  const text = byConfig.get(key) ?? JSON.stringify(synthesizeTemplates(config));
  byConfig.set(key, text);
  return text;
}
