import { type Connections, openConnections } from '../../shared/store/connections/connections.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';
import type { Attention, ConnectionTroubles, Source } from '../attention.ts';
import type { ConsoleContext, Handlers } from './consoleContext.ts';

/** Cache duration in milliseconds, because several pages read the same. */
const KEPT_MS = 5_000;
/** Maximum number of cached environments. */
const KEPT_ENVIRONMENTS = 20;
/** Maximum number of connections, and of waiting connections, that are read: about 750 read units, a hundredth of a cent. */
const MOST_CONNECTIONS = 20_000;
const MOST_NOTES = 10_000;
/** Wait for an answer that counts as a problem: as long as healing takes (`functions/websocket/heal.ts`). */
const OVERDUE_MS = 90_000;

type Handler = Handlers['GET environments/:env/attention'];

/** Answers with problems of a deployment. If a source cannot be read, the answer names it. */
export function attentionHandler(
  { environments, effects }: Pick<FlagStore, 'environments' | 'effects'>,
  { tables, context, readAlarms }: Pick<ConsoleContext, 'tables' | 'context' | 'readAlarms'>,
): Handler {
  const { client, connections: name } = tables;
  const connections = name === undefined ? undefined : openConnections({ client, connections: name }, effects);
  const kept = new Map<string, { readonly at: number; readonly attention: Promise<Attention> }>();
  const readConnections = async (envId: string): Promise<Source<ConnectionTroubles>> => {
    if (connections) return sourceOf(() => troublesOf(connections, envId, effects.now()));
    const reason = 'the table of connections is not known; name it with --connections';
    return context.mode === 'aws' ? { kind: 'unread', reason } : { kind: 'absent' };
  };
  const read = async (at: number, envId: string): Promise<Attention> => {
    const [ofConnections, alarms] = await Promise.all([
      readConnections(envId),
      readAlarms ? sourceOf(readAlarms) : ({ kind: 'absent' } as const),
    ]);
    return { at, connections: ofConnections, alarms };
  };
  return async ({ env }) => {
    const { id } = await environments.find(env);
    const now = effects.now();
    const known = kept.get(id);
    if (known && now - known.at < KEPT_MS) return known.attention;
    const attention = read(now, id);
    kept.delete(id);
    kept.set(id, { at: now, attention });
    const [oldest = id] = kept.keys();
    if (kept.size > KEPT_ENVIRONMENTS) kept.delete(oldest);
    return attention;
  };
}

async function troublesOf(connections: Connections, envId: string, now: number): Promise<ConnectionTroubles> {
  const [unanswered, lacking] = await Promise.all([
    connections.unanswered.countOverdue(envId, now - OVERDUE_MS, MOST_NOTES),
    connections.countLacking(envId, MOST_CONNECTIONS),
  ]);
  const isAtLeast = unanswered.isAtLeast || lacking.isAtLeast;
  return { ...lacking, unanswered: unanswered.count, isAtLeast };
}

async function sourceOf<T>(read: () => Promise<T>): Promise<Source<T>> {
  try {
    return { kind: 'read', value: await read() };
  } catch (error) {
    return { kind: 'unread', reason: describeStoreError(error) };
  }
}
