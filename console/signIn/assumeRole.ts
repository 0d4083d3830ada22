import { createHash } from 'node:crypto';
import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import type { Credentials } from '../../shared/runtime/signature.ts';
import type { Person } from './person.ts';

/** Duration of a session, in seconds: STS's minimum. */
const SESSION_SECONDS = 900;
/** How long a session is used, in milliseconds. A request that begins at its end still has time. */
const KEPT_MS = 840_000;
/** Maximum number of sessions that an instance keeps, with what is opened with them. */
const KEPT_SESSIONS = 200;

/** What STS permits: https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
const STS_NAME = /^[\w+=,.@-]{2,64}$/;

/**
 * Assumes roles in the name of persons, and opens something with the credentials. Both are kept by person and role.
 *
 * @param open with keys that last at least a minute
 * @param now unix milliseconds
 */
export function createRoles<T>(
  sts: Pick<STSClient, 'send'>,
  open: (person: Person, keys: Credentials & { readonly sessionToken: string }) => T,
  now: () => number,
): (person: Person, arn: string) => Promise<T> {
  const keep = keepAnswers<T>(KEPT_MS, KEPT_SESSIONS);
  const assume = async (person: Person, RoleArn: string): Promise<T> => {
    const SourceIdentity = nameForAws(person.id);
    const RoleSessionName = nameForAws(person.name, SourceIdentity);
    const input = { RoleArn, RoleSessionName, SourceIdentity, DurationSeconds: SESSION_SECONDS };
    const { Credentials: issued } = await sts.send(new AssumeRoleCommand(input));
    const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = issued ?? {};
    const keys = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    return open(person, keys);
  };
  // The whole person: with another name or other rights, the answers differ.
  return (person, arn) => keep(JSON.stringify([person, arn]), now(), () => assume(person, arn));
}

/**
 * A person in CloudTrail. The id is the source identity, which conditions see: people can change names, and so leave a block. The name is
 * that of the session, for readers.
 *
 * @param otherwise if STS does not permit the text. Default: its SHA-256
 */
export function nameForAws(text: string, otherwise = createHash('sha256').update(text).digest('hex')): string {
  return STS_NAME.test(text) ? text : otherwise;
}
