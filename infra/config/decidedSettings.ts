/** Environment variable with settings that depend on the account, as JSON: `npm run deploy` passes them to the CDK app. */
export const DECIDED_SETTINGS = 'FLAGWIRE_DECIDED_SETTINGS';
