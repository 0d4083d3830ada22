import type { PatchContents } from '../../shared/delivery/sdk.ts';
import { shardOf } from '../../shared/store/connections/connection.ts';
import type { Change } from '../../shared/store/documents/change.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import type { IssuedSecret } from '../../shared/store/environments/secrets.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { type Intercept, type TestStore, type TestTables, testEffects } from '../../shared/store/testing/testTables.ts';
import { type PostOutcome, UncertainPost } from '../gateway/connectionSender.ts';
import { bodyOf } from '../push/pushMessage.ts';
import type { WebSocketEvent } from '../websocket/event.ts';

/** One environment on an embedded DynamoDB, with a manual clock and a recording sender. */
export interface TestService {
  readonly database: TestTables;
  readonly store: TestStore;
  readonly effects: ReturnType<typeof testEffects>;
  readonly envId: string;
  readonly secrets: { readonly server: IssuedSecret; readonly client: IssuedSecret };
}

/** A new environment in a database. */
export async function aService(database: TestTables): Promise<TestService> {
  const effects = testEffects(Date.now());
  const store = database.open(effects);
  const { environment, secrets } = await store.environments.create(`env ${effects.uuid()}`);
  const [server, client] = secrets as [IssuedSecret, IssuedSecret];
  return { database, store, effects, envId: environment.id, secrets: { server, client } };
}

/** A cache of a service's snapshots, for one instance of a function. */
export function snapshotsOf({ database, effects }: TestService, intercept?: Intercept): SnapshotCache {
  return new SnapshotCache(database.open(effects, intercept), () => {});
}

/** Records sent messages in order. Connections may be gone, fail, or have an unknown outcome. */
export function testSender() {
  const sent: { readonly to: string; readonly text: string }[] = [];
  const gone = new Set<string>();
  const failing = new Set<string>();
  const uncertain = new Set<string>();
  return {
    sent,
    gone,
    failing,
    uncertain,
    /** The messages to one connection, parsed. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every kind.
    to: (id: string): any[] => sent.filter(({ to }) => to === id).map(({ text }) => JSON.parse(text)),
    post: async (to: string, text: string): Promise<PostOutcome> => {
      if (failing.has(to)) throw new Error(`${to} cannot be reached`);
      if (uncertain.has(to)) throw new UncertainPost(new Error('no answer'));
      if (gone.has(to)) return 'gone';
      sent.push({ to, text });
      return 'sent';
    },
  };
}

/** The push queue's message for written documents, as publish creates it from the stream. */
export function pushMessage(
  stored: StoredDocument | readonly [StoredDocument, ...StoredDocument[]],
  shard: number,
  { withBody = true } = {},
): { body: string } {
  const [first, ...others] = Array.isArray(stored) ? stored : [stored];
  return {
    body: bodyOf({ shard, changes: [changeOf(first, withBody), ...others.map((each) => changeOf(each, withBody))] }),
  };
}

function changeOf(
  { kind, envId, id, updatedAt, previous, writtenAt, body }: StoredDocument,
  withBody: boolean,
): Change {
  const travelling = 'text' in body ? { text: body.text } : { gzipBase64: Buffer.from(body.gzip).toString('base64') };
  return { kind, envId, id, updatedAt, previous, writtenAt, ...(withBody ? { body: travelling } : {}) };
}

/** A message of the push queue, the n-th of its batch, as SQS delivers it. */
export function queueRecord(body: string, n: number, { times = 1, sentAt = 0 } = {}) {
  const attributes = {
    ApproximateReceiveCount: String(times),
    SentTimestamp: String(sentAt),
    MessageGroupId: 'a group',
  };
  return { messageId: String(n), receiptHandle: `receipt ${n}`, attributes, body };
}

/** Ids of connections that belong to a shard. */
export function idsInShard(shard: number, count: number): string[] {
  const ids: string[] = [];
  for (let n = 0; ids.length < count; n++) if (shardOf(`connection-${n}`) === shard) ids.push(`connection-${n}`);
  return ids;
}

/** The connection and content of a message. */
interface MessageOf {
  readonly id?: string;
  readonly type?: string;
  readonly body?: string;
  readonly patchContents?: PatchContents | undefined;
}

/** A message as API Gateway passes it to a route. */
export function messageEvent(
  { envId, effects }: TestService,
  { id = 'c', type = 'client', body = '', patchContents }: MessageOf = {},
): WebSocketEvent {
  return {
    body,
    requestContext: {
      connectionId: id,
      routeKey: 'data-sync',
      requestTimeEpoch: effects.now(),
      authorizer: { envId, type, ...(patchContents ? { patchContents } : {}) },
    },
  };
}

/** A data-sync as SDKs send it. */
export function dataSync(timestamp: unknown = 0, user?: unknown): string {
  return JSON.stringify({ messageType: 'data-sync', data: { timestamp, ...(user === undefined ? {} : { user }) } });
}
