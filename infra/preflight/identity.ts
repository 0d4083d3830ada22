import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/configError.ts';
import { CLIENT_TIMEOUTS } from './account.ts';

/** The identity behind the credentials. */
export interface Identity {
  readonly account: string;
  readonly arn: string;
}

/**
 * Reads the identity behind the credentials from AWS. This needs no permission.
 *
 * @throws Error if there are no credentials, or AWS refuses them
 */
export async function readIdentity(region: string): Promise<Identity> {
  try {
    const client = new STSClient({ region, ...CLIENT_TIMEOUTS });
    const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand());
    return { account, arn };
  } catch (error) {
    const { name, message } = error as Error;
    throw new Error(
      `AWS credentials cannot be used (${name}: ${message}). Check them with: aws sts get-caller-identity`,
    );
  }
}

/** @throws ConfigError if the settings name another account */
export function checkIdentity({ account: meant }: Config, { account, arn }: Identity): void {
  if (meant === undefined || meant === account) return;
  throw new ConfigError(
    `account=${meant} is not the account of your credentials: ${arn}. Use credentials of account ${meant}, or change the setting.`,
  );
}
