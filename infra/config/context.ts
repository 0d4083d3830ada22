import { ConfigError } from './configError.ts';
import { nearestSetting } from './explain.ts';

const PREFIX = /^flagwire:/i;

/**
 * The stage that CDK context names by `stage`, `dev` where it names none. It is all that context says of a deployment: settings are
 * in the file of the stage.
 *
 * @param context every context key in sight
 * @throws ConfigError on a key that is meant as a setting, with the way to set it
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
