/** Environment variable by which `npm run deploy` gives the app that cdk runs what the account decides, as JSON. */
export const DECIDED_SETTINGS = 'FLAGWIRE_DECIDED_SETTINGS';

/** Settings that the account decides; none where cdk was not started by `npm run deploy`. */
export function readDecidedSettings(env: NodeJS.ProcessEnv): Readonly<Record<string, unknown>> {
  return JSON.parse(env[DECIDED_SETTINGS] ?? '{}');
}
