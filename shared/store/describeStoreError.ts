import { describeCredentialError } from './credentialError.ts';
import { StoreError } from './errors.ts';
import { missingPermission } from './permission.ts';

/** What to do about AWS's errors, by their names. */
const ADVICE: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'there is no such table; check FLAGS_TABLE (an output of the stack) and AWS_REGION',
  AccessDeniedException: 'these AWS credentials may not do that; they need read and write access to the flags table',
  ProvisionedThroughputExceededException: 'the table is throttled; try again in a moment',
  ThrottlingException: 'the table is throttled; try again in a moment',
  RequestLimitExceeded: 'the table is throttled; try again in a moment',
  TimeoutError: 'the table does not answer; check AWS_REGION and the network',
};

/** What went wrong with a table, as one line that an operator can act on. */
export function describeStoreError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreError) return error.message;
  const missing = missingPermission(error);
  if (missing) {
    const { action, resource } = missing;
    return `these AWS credentials may not do ${action}${resource ? ` on ${resource}` : ''}; ask for a policy that allows it (docs/console.md)`;
  }
  const credentials = describeCredentialError(error);
  if (credentials) return credentials;
  const advice = ADVICE[error.name];
  if (advice) return `${advice} (${error.name})`;
  if (/region is missing/i.test(error.message)) return 'no AWS region is set; set AWS_REGION';
  if (/ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNRESET/.test(`${error.message} ${(error as { code?: string }).code}`)) {
    return `the table cannot be reached (${error.message}); check that npm start still runs, or AWS_REGION and the network`;
  }
  return error.message;
}
