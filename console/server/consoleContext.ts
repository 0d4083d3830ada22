import type { ReadAlarms } from '../../shared/runtime/alarms.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import type { ConnectionsTable } from '../../shared/store/connections/connections.ts';
import type { FlagsTable } from '../../shared/store/reader.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import type { Context, Requests } from '../api.ts';
import type { Alarms } from '../attention.ts';

/** What the console works on, and for whom. */
export interface ConsoleContext {
  /** The table of connections too, where it is known. */
  readonly tables: FlagsTable & Partial<ConnectionsTable>;
  readonly effects: Effects;
  /** All but the operator’s name, which AWS may take a moment to tell. */
  readonly context: Omit<Context, 'by'>;
  /** Who works here, for the history. */
  readonly by: () => Promise<string>;
  /** Reads the deployment's alarms; absent where there is no CloudWatch. @throws what AWS says */
  readonly readAlarms?: () => Promise<Alarms>;
  /** Reads the alarms that guard plans. */
  readonly readGuards: ReadAlarms;
  /** Secrets that this machine keeps, of which tables hold only hashes. */
  readonly keptSecrets: readonly string[];
}

/** A request of the contract, looked at. */
export interface HandlerInput<Name extends keyof Requests> {
  readonly env: string;
  readonly secret: string;
  readonly plan: string;
  readonly body: Requests[Name]['body'];
  readonly query: Requests[Name]['query'];
}

/** What answers each request of the contract; what it throws is answered as `answerTo` says. */
export type Handlers = {
  readonly [Name in keyof Requests]: (input: HandlerInput<Name>) => Promise<Requests[Name]['answer']>;
};

/** The store, to be written to by the operator. */
export type OpenStore = (command: string, remark?: string) => FlagStore;
