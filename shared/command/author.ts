import { hostname, userInfo } from 'node:os';
import type { Author } from '../store/author.ts';

/** How long the AWS identity may take: a change does not wait for what only its history says. */
const IDENTITY_TIMEOUT_MS = 3_000;

/**
 * Who works here, for the history: user and host, and on AWS the identity of the credentials, which cannot be made up. Where AWS
 * does not tell it, user and host alone.
 *
 * @param onAws whether the table is on AWS
 */
export async function findAuthor(command: string, onAws: boolean): Promise<Author> {
  const here = `${userName()}@${hostname()}`;
  const identity = onAws ? await findIdentity() : undefined;
  return { by: identity ? `${identity} (${here})` : here, command };
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return process.env['USER'] ?? 'unknown';
  }
}

async function findIdentity(): Promise<string | undefined> {
  try {
    const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    const client = new STSClient({});
    const { Arn } = await client.send(new GetCallerIdentityCommand({}), {
      abortSignal: AbortSignal.timeout(IDENTITY_TIMEOUT_MS),
    });
    return Arn;
  } catch {
    return undefined;
  }
}
