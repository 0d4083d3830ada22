import { createHash } from 'node:crypto';
import { type BatchOperation, type KeyValueStore, prefixRange } from './dynaliteInternals.ts';
import { dynamoDbError, validationError } from './errors.ts';

/** Lifetime of a token in ms, as in DynamoDB. */
const validMs = 10 * 60 * 1000;

const prefix = 'token~';

interface UsedToken {
  fingerprint: string;
  usedAt: number;
}

/** States if a transaction was applied before under its token. Otherwise it has the operations to store with the transaction. */
type TokenUse = { applied: true } | { applied: false; operations: BatchOperation[] };

/**
 * Looks a transaction's ClientRequestToken up; the answer's operations belong in the transaction's own batch, so that a client
 * that retries after a kill finds its token if and only if its transaction was stored. `now` is unix ms.
 * @throws ValidationException (length) or IdempotentParameterMismatchException (the token stands for another request).
 */
export function useToken(db: KeyValueStore, token: unknown, actions: unknown, now: number): TokenUse {
  if (token === undefined || token === null) return { applied: false, operations: [] };
  if (typeof token !== 'string' || token.length < 1 || token.length > 36) {
    throw validationError(
      "Value at 'clientRequestToken' failed to satisfy constraint: Member must have length 1 to 36",
    );
  }
  const fingerprint = createHash('sha256').update(canonical(actions)).digest('base64');
  const known = db.getSync(prefix + token) as UsedToken | undefined;
  if (known !== undefined && now - known.usedAt < validMs) {
    if (known.fingerprint === fingerprint) return { applied: true };
    throw dynamoDbError(
      'IdempotentParameterMismatchException',
      'The ClientRequestToken was used before with other parameters',
    );
  }
  const value: UsedToken = { fingerprint, usedAt: now };
  return { applied: false, operations: [{ type: 'put', key: prefix + token, value }] };
}

/** Deletes expired tokens. It must not run during a transaction, which may use one of them again. */
export async function forgetTokens(db: KeyValueStore, now: number): Promise<void> {
  const keys = await db.keys(prefixRange(prefix)).all();
  const old = keys.filter((key) => now - (db.getSync(key) as UsedToken).usedAt >= validMs);
  await db.batch(old.map((key) => ({ type: 'del', key })));
}

// Some SDKs write the members of a map in another order each time they send the same request.
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
