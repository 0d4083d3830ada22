import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { localAccount } from '../template/account.ts';
import { type AccessRequest, evaluate, listOf, matchesWildcards, type Statement } from './evaluate.ts';
import type { Role } from './roles.ts';

/** An AWS access key, as SDK clients take it. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a session of STS. */
  readonly sessionToken?: string;
}

/** How long the end of a session is known as such. Afterwards its key is unknown. */
const FORGOTTEN_MS = 3_600_000;

/** Makes a random access key. */
export function newAccessKey(): AccessKey {
  return {
    accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64url'),
  };
}

/** The owner of an access key. */
export interface Identity {
  readonly arn: string;
  readonly accessKey: AccessKey;
  /** Its permissions. An administrator has no role, and all permissions. */
  readonly role?: Role;
  /** The end of a session of STS, unix milliseconds. */
  readonly expiresAt?: number | undefined;
  /** The person for whom a session was made. */
  readonly sourceIdentity?: string | undefined;
  /** Set when it has ended: nothing that it still sends is answered. */
  isStopped: boolean;
}

/** The signers of requests: one administrator, and those with an assumed role, such as a function's instances. */
export class Identities {
  readonly #administrator: Identity;
  readonly #assumed = new Map<string, Identity>();
  readonly #used = new Set<string>();
  readonly #log: Log;
  readonly #clock: Clock;
  /** Statements of the resources themselves, such as queue policies; known once the templates are read. */
  resourcePolicies: readonly Statement[] = [];

  constructor(administrator = newAccessKey(), log: Log = () => {}, clock: Clock = systemClock) {
    const arn = `arn:aws:iam::${localAccount}:user/administrator`;
    this.#administrator = { arn, accessKey: administrator, isStopped: false };
    this.#log = log;
    this.#clock = clock;
  }

  /** The key of local tools and tests. */
  get administrator(): AccessKey {
    return this.#administrator.accessKey;
  }

  /**
   * Makes an identity with a role and a new key.
   *
   * @param session its name; for an instance, the function
   * @param limits of a session of STS, whose requests must also have its token
   */
  assume(role: Role, session: string, limits: Pick<Identity, 'expiresAt' | 'sourceIdentity'> = {}): Identity {
    for (const [id, each] of this.#assumed) if (this.hasExpired(each, FORGOTTEN_MS)) this.#assumed.delete(id);
    const token = limits.expiresAt === undefined ? {} : { sessionToken: randomBytes(30).toString('base64url') };
    const accessKey = { ...newAccessKey(), ...token };
    const identity = { arn: assumedArn(role, session), accessKey, role, isStopped: false, ...limits };
    this.#assumed.set(accessKey.accessKeyId, identity);
    return identity;
  }

  /** Whether a session has ended. @param sinceMs at least so long ago */
  hasExpired({ expiresAt = Number.POSITIVE_INFINITY }: Identity, sinceMs = 0): boolean {
    return this.#clock.now() >= expiresAt + sinceMs;
  }

  /** Whose access key this is. */
  find(accessKeyId: string): Identity | undefined {
    return accessKeyId === this.administrator.accessKeyId ? this.#administrator : this.#assumed.get(accessKeyId);
  }

  /**
   * Asks IAM for all that a request needs.
   *
   * @param requests undefined when the emulator does not know what an operation needs, which denies it
   * @returns what AWS says when it refuses, or undefined when everything is allowed
   */
  denial(
    { arn, role, sourceIdentity }: Pick<Identity, 'arn' | 'role' | 'sourceIdentity'>,
    operation: string,
    requests: readonly AccessRequest[] | undefined,
  ): string | undefined {
    if (!role) return undefined;
    if (!requests) return this.#denied(`User: ${arn} is not authorized to perform: ${operation}`, ['action']);
    for (const request of requests) {
      const person = sourceIdentity === undefined ? {} : { 'aws:SourceIdentity': [sourceIdentity] };
      const context = { 'aws:SecureTransport': ['true'], ...person, ...request.context };
      const decision = evaluate([...role.statements, ...this.resourcePolicies], { ...request, context });
      if (decision.allowed) {
        const granted = listOf(decision.by.Resource).find((pattern) => matchesWildcards(pattern, request.resource));
        this.#used.add(usage(role, request.action, granted ?? '*'));
        continue;
      }
      const { action, resource } = request;
      const because = decision.explicit
        ? 'with an explicit deny'
        : `because no identity-based policy allows the ${action} action`;
      const text = `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} ${because}`;
      return this.#denied(text, decision.unknown);
    }
    return undefined;
  }

  /** Permissions of a role that no request has used, by action: `dynamodb:GetItem on <resource>`. */
  unusedGrants(role: Role): string[] {
    const grants = role.statements
      .filter(({ Effect }) => Effect === 'Allow')
      .flatMap(({ Action, Resource }) =>
        listOf(Action).flatMap((action) => listOf(Resource).map((resource) => ({ action, resource }))),
      );
    return grants
      .filter(({ action, resource }) => !this.#used.has(usage(role, action, resource)))
      .map(({ action, resource }) => `${action} on ${resource}`);
  }

  #denied(text: string, unknown: readonly string[]): string {
    this.#log(`iam: ${text}${unknown.length > 0 ? `; not known to the emulator: ${unknown.join(', ')}` : ''}`);
    return text;
  }
}

/** The ARN of an assumed role. A function has a session with its own name. */
export function assumedArn({ name }: Role, session: string): string {
  return `arn:aws:sts::${localAccount}:assumed-role/${name}/${session}`;
}

function usage({ name }: Role, action: string, resource: string): string {
  return `${name} ${action} ${resource}`;
}
