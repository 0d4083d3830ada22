import { ownCommand } from '../../runtime/ownCommand.ts';
import { describeCredentialError } from './credentialError.ts';
import { StoreError } from './errors.ts';
import { describeNetworkError } from './networkError.ts';
import { missingPermission } from './permission.ts';

/** The way out for each AWS error, by name. */
const ADVICE: Readonly<Record<string, string>> = {
  ResourceNotFoundException: 'the table does not exist; check FLAGS_TABLE (an output of the stack) and AWS_REGION',
  AccessDeniedException: 'these AWS credentials do not allow that; they need read and write access to the flags table',
  ProvisionedThroughputExceededException: 'the table is throttled; try again in a moment',
  ThrottlingException: 'the table is throttled; try again in a moment',
  RequestLimitExceeded: 'the table is throttled; try again in a moment',
  TimeoutError: 'the table does not answer; check AWS_REGION and the network',
};

const LOCAL_ADVICE = `check that ${ownCommand('start')} is running`;
const NETWORK_ADVICE = 'check AWS_REGION and the network';

/** Describes a table error as one line that an operator can act on. */
export function describeStoreError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StoreError) return error.message;
  const missing = missingPermission(error);
  if (missing) {
    const { action, resource } = missing;
    return `these AWS credentials do not allow ${action}${resource ? ` on ${resource}` : ''}; ask for a policy that does (docs/console.md)`;
  }
  const network = describeNetworkError(error);
  if (network) return `${network}; ${network.startsWith('127.0.0.1:') ? LOCAL_ADVICE : NETWORK_ADVICE}`;
  const credentials = describeCredentialError(error);
  if (credentials) return credentials;
  const isName = error.name === 'ValidationException' && /tablename/i.test(error.message);
  const advice = ADVICE[isName ? 'ResourceNotFoundException' : error.name];
  if (advice) return `${advice} (${error.name})`;
  if (/region is missing/i.test(error.message)) return 'no AWS region is set; set AWS_REGION';
  if (/ECONNREFUSED|ECONNRESET/.test(`${error.message} ${(error as { code?: string }).code}`)) {
    return `the table cannot be reached (${error.message}); ${LOCAL_ADVICE}, or ${NETWORK_ADVICE}`;
  }
  return error.message;
}
