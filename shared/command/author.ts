import { hostname, userInfo } from 'node:os';
import { throughProxy } from '../runtime/throughProxy.ts';
import type { Author } from '../store/table/author.ts';

/** Time limit for the AWS identity, in milliseconds. A change must not wait long for a detail of its history. */
const IDENTITY_TIMEOUT_MS = 3_000;

/**
 * The author for the history: user and host, and on AWS also the identity of the credentials, which cannot be forged.
 * If AWS does not return it, only user and host.
 *
 * @param onAws whether the table is on AWS
 */
export async function findAuthor(command: string, onAws: boolean): Promise<Author> {
  const identity = onAws ? await findIdentity() : undefined;
  return { by: identity ? `${identity} (${localAuthor()})` : localAuthor(), command };
}

/** The user and the host of this process. */
export function localAuthor(): string {
  return `${userName()}@${hostname()}`;
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
    const client = new STSClient({ requestHandler: throughProxy() });
    const { Arn } = await client.send(new GetCallerIdentityCommand({}), {
      abortSignal: AbortSignal.timeout(IDENTITY_TIMEOUT_MS),
    });
    return Arn;
  } catch {
    return undefined;
  }
}
