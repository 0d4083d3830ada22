/** Environment variable with settings that depend on the account, as JSON: `npm run deploy` passes them to the CDK app. */
export const DECIDED_SETTINGS = 'FLAGWIRE_DECIDED_SETTINGS';

/** Settings that depend on the account. Empty unless `npm run deploy` started cdk. */
export function readDecidedSettings(env: NodeJS.ProcessEnv): Readonly<Record<string, unknown>> {
  return JSON.parse(env[DECIDED_SETTINGS] ?? '{}');
}
