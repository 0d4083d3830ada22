import { type Connections, openConnections } from '../../shared/store/connections/connections.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';
import type { Attention, ConnectionProblems, Source } from '../attention.ts';
import type { ConsoleContext, Handlers } from './consoleContext.ts';
import { keepAnswers } from './keepAnswers.ts';

/** Cache duration in milliseconds, because several pages read the same. */
const KEPT_MS = 5_000;
/** Maximum number of cached environments. */
const KEPT_ENVIRONMENTS = 20;
/** Maximum number of connections, and of waiting connections, that are read: about 750 read units, a hundredth of a cent. */
const MAX_CONNECTIONS = 20_000;
const MAX_NOTES = 10_000;
/** Wait for an answer that counts as a problem: as long as healing takes (`functions/websocket/heal.ts`). */
const OVERDUE_MS = 90_000;

/** Answers with problems of a deployment. If a source cannot be read, the answer names it. */
export function attentionHandler(
  { environments, effects }: Pick<FlagStore, 'environments' | 'effects'>,
  { tables, context, readAlarms }: Pick<ConsoleContext, 'tables' | 'context' | 'readAlarms'>,
): Handlers['GET environments/:env/attention'] {
  const { client, connections: name } = tables;
  const connections = name === undefined ? undefined : openConnections({ client, connections: name }, effects);
  const kept = keepAnswers<Attention>(KEPT_MS, KEPT_ENVIRONMENTS);
  const readConnections = async (envId: string): Promise<Source<ConnectionProblems>> => {
    if (connections) return sourceOf(() => readConnectionProblems(connections, envId, effects.now()));
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
    return kept(id, now, () => read(now, id));
  };
}

async function readConnectionProblems(
  connections: Connections,
  envId: string,
  now: number,
): Promise<ConnectionProblems> {
  const [unanswered, lacking] = await Promise.all([
    connections.unanswered.countOverdue(envId, now - OVERDUE_MS, MAX_NOTES),
    connections.countLacking(envId, MAX_CONNECTIONS),
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
