import { readConfig } from '../../../infra/config/config.ts';
import { findingsFor } from '../../../infra/preflight/findings.ts';
import { settingsFor } from '../../../infra/preflight/settings.ts';

/** What many new accounts have, in a region of the smaller quota. */
const LIMITS = {
  region: 'eu-south-1',
  concurrency: 10,
  unreserved: 10,
  throttleRate: 2_500,
  throttleBurst: 1_250,
  newConnections: 500,
};

/** What `npm run deploy -- --preflight` decides for an account, and finds against what is to be deployed there. */
export interface Judged {
  readonly context: Readonly<Record<string, number>>;
  readonly settings: readonly string[];
  readonly findings: readonly string[];
}

/** Judges a deployment to a new account in a small region. @param context settings of the operator */
export function judgeNewAccount(context: Readonly<Record<string, number>>): Judged {
  const decided = settingsFor(context, readConfig(context), LIMITS);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, value]));
  return {
    context,
    settings: decided.map(({ key, value }) => `${key}=${value}`),
    findings: findingsFor(readConfig({ ...context, ...settings }), LIMITS).map(({ text }) => text),
  };
}
