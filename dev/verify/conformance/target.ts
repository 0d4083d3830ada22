import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Effects, systemEffects } from '../../../shared/runtime/effects.ts';
import type { Connections } from '../../../shared/store/connections/connections.ts';
import { type FlagStore, openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { Usage } from '../../../shared/store/usage/usage.ts';

/** A known difference between a target and API Gateway. The cases expect exactly this other behaviour. */
export type Difference =
  /** Connections are accepted and then closed with 4003, as FeatBit's server does; API Gateway can only refuse them. */
  | 'refuses-with-4003'
  /** A reply of any size is one message, as from FeatBit's server; API Gateway carries 128 KB. */
  | 'answers-whole'
  /** An authorizer that throws `Unauthorized` refuses a handshake with 500; with 401 on API Gateway. */
  | 'unauthorized-is-500'
  /** Evaluations are counted in memory. A function also counts a write as dropped whose answer is late (docs/insights.md). */
  | 'counts-in-memory'
  /** A frame over 32 KB is discarded without an answer, as by FeatBit's server; API Gateway ends the connection with 1009. */
  | 'discards-large-messages'
  /** Frames and messages of any size are taken; API Gateway ends the connection with 1009 beyond 32 KB and 128 KB. */
  | 'no-size-limits';

/** A running Flagwire under test. The suite creates its own environments in its flags table, and changes no other. */
export interface Target {
  /** The SDKs' streaming URL, without path: they append `/streaming`. */
  readonly streamingUrl: string;
  /** The SDKs' polling and events URL. */
  readonly httpUrl: string;
  readonly store: FlagStore;
  /** The name of its flags table, which a provider in this process reads. */
  readonly tables: Pick<TableNames, 'flags'>;
  /** Base URL of the webhooks of plans, if the target has them. */
  readonly webhookUrl?: string;
  /** Its table of connections, if it has one that the suite may read. */
  readonly connections?: Connections;
  /** The receipts of its changes, if the suite may read them. */
  readonly receipts?: Pick<Connections, 'table'>;
  /** Insight events that it has received, if the target can list them. */
  readonly insights?: () => string | Promise<string>;
  /** Its counts of evaluations, if the suite may read them. */
  readonly usage?: Usage;
  /** Prefix of the names of the suite's environments; `conformance` by default. */
  readonly environments?: string;
  /** Its known differences; none by default. */
  readonly differences?: ReadonlySet<Difference>;
}

/** Returns the target of a run. Only tests may call it: it does not exist before. */
export type GetTarget = () => Target;

/** The URLs of a service at a port of this machine. */
export function urlsAt(port: number): Pick<Target, 'streamingUrl' | 'httpUrl'> {
  return { streamingUrl: `ws://127.0.0.1:${port}`, httpUrl: `http://127.0.0.1:${port}` };
}

/** Names of tables. AWS's clients find them by the environment. */
interface TableNames {
  readonly flags: string;
  readonly connections: string;
  readonly usage?: string | undefined;
}

/** The tables and the insight events of a service, as parts of a target. @param directory the service writes events below it */
export function openTables({ usage, ...names }: TableNames, directory: string) {
  const client = createDynamoDb();
  const open = (effects?: Effects) => openStore({ client, ...names }, effects);
  const store = open();
  const insights = () =>
    globSync('**/*.ndjson', { cwd: directory })
      .map((file) => readFileSync(join(directory, file), 'utf8'))
      .join('');
  const counts = usage ? { usage: new Usage({ client, name: usage, effects: systemEffects }) } : {};
  return { store, open, tables: names, receipts: store.connections, insights, ...counts };
}
