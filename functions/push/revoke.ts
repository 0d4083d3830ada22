import type { Effects } from '../../shared/runtime/effects.ts';
import { type Connection, SHARDS } from '../../shared/store/connections/connection.ts';
import type { Connections } from '../../shared/store/connections/connections.ts';
import type { DueRevocations } from '../../shared/store/connections/dueRevocations.ts';
import type { ManagementApi } from '../gateway/managementApi.ts';
import type { Invocation } from '../invocation.ts';
import { log } from '../telemetry/log.ts';
import { dueAt, type Revocation } from './revocation.ts';

/**
 * Connections that are closed at the same time, and the pause after them: at most 200 a second. Their SDKs reconnect at once and
 * are refused. API Gateway's default quota is 500 new connections a second for all clients.
 */
const CONCURRENCY = 10;
const PAUSE_MS = 50;

/** Dependencies of closing connections. */
interface RevokeDeps extends Pick<Effects, 'now' | 'pause'> {
  readonly connections: Pick<Connections, 'openedBy' | 'remove'>;
  /** Where passes that are due later are stored. */
  readonly revocations: Pick<DueRevocations, 'store'>;
  readonly ender: Pick<ManagementApi, 'end'>;
}

/** The used part of SQS's event. */
interface RevocationEvent {
  readonly Records: readonly { readonly body: string }[];
}
/**
 * Creates the handler of the revocation queue. It closes the connections of a revoked secret with 1000: Go and .NET SDKs then do
 * not reconnect, the others are refused. If time ends, or a pass is due later, it stores the revocation. Heal sends it to the queue when it
 * is due: Lambda ends a chain of messages in which a function calls itself about 16 times.
 *
 * @throws if a step fails, so that SQS retries; rows of closed connections are removed by then
 */
export function createRevoke(deps: RevokeDeps) {
  return async ({ Records }: RevocationEvent, invocation: Invocation): Promise<void> => {
    const lastBeginning = deps.now() + invocation.getRemainingTimeInMillis() / 2;
    for (const { body } of Records) await advance(deps, JSON.parse(body) as Revocation, lastBeginning);
  };
}

async function advance(deps: RevokeDeps, revocation: Revocation, lastBeginning: number): Promise<void> {
  const { revocations, now } = deps;
  const due = dueAt(revocation);
  if (due === undefined) return;
  if (due > now()) return revocations.store(revocation, due);
  for (let { shard } = revocation; shard < SHARDS; shard++) {
    if (!(await endShard(deps, revocation, shard, lastBeginning)))
      return revocations.store({ ...revocation, shard }, now());
  }
  const next = { ...revocation, pass: revocation.pass + 1, shard: 0 };
  const nextDue = dueAt(next);
  if (nextDue !== undefined) await revocations.store(next, nextDue);
}

/** @returns false if time ended before all were closed */
async function endShard(
  { connections, ender, now, pause }: RevokeDeps,
  { envId, secretId }: Revocation,
  shard: number,
  lastBeginning: number,
): Promise<boolean> {
  let ended = 0;
  const end = async ({ id }: Connection) => {
    await ender.end(id);
    await connections.remove(envId, id);
    ended++;
  };
  try {
    for await (const page of connections.openedBy(envId, shard, secretId)) {
      for (let first = 0; first < page.length; first += CONCURRENCY) {
        if (now() > lastBeginning) return false;
        await Promise.all(page.slice(first, first + CONCURRENCY).map(end));
        await pause(PAUSE_MS);
      }
    }
    return true;
  } finally {
    if (ended > 0) log.info('connections of a revoked secret closed', { envId, closed: ended });
  }
}
