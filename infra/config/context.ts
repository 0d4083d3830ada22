import { ConfigError } from './configError.ts';
import { nearestSetting } from './explain.ts';

const PREFIX = /^flagwire:/i;

/**
 * The stage in the CDK context (`stage`, by default `dev`). Context has no other setting of a deployment: settings are in the file of the
 * stage.
 *
 * @param context all context keys
 * @throws ConfigError on a key that looks like a setting, with the way to set it
 */
export function stageIn(context: Readonly<Record<string, unknown>>): string {
  const stage = String(context['stage'] ?? 'dev');
  for (const key of Object.keys(context)) {
    // Keys with another prefix are CDK's own.
    if (key === 'stage' || !(PREFIX.test(key) || /^\w+$/.test(key))) continue;
    const setting = nearestSetting(key.replace(PREFIX, ''));
    if (setting === 'stage') throw new ConfigError(`Context ${key} sets nothing: write -c stage=<stage>.`);
    throw new ConfigError(
      `Context ${key} sets nothing: write ${setting} into flagwire.${stage}.json, ` +
        `or run npm run deploy -- ${stage} --set ${setting}=<value>.`,
    );
  }
  return stage;
}
