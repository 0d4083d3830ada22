import type { ReadAlarms } from '../../shared/runtime/alarms.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import type { ConnectionsTable } from '../../shared/store/connections/connections.ts';
import type { FlagsTable } from '../../shared/store/reader.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import type { Context, Requests } from '../api.ts';
import type { Alarms } from '../attention.ts';

/** The table and the operator of a console. */
export interface ConsoleContext {
  /** Includes the connections table, if known. */
  readonly tables: FlagsTable & Partial<ConnectionsTable>;
  readonly effects: Effects;
  /** The context without the operator's name, which AWS may return later. */
  readonly context: Omit<Context, 'by'>;
  /** The operator's name in the history. */
  readonly by: () => Promise<string>;
  /** Reads the deployment's alarms. Absent without CloudWatch. @throws errors of AWS */
  readonly readAlarms?: () => Promise<Alarms>;
  /** Reads the alarms that guard plans. */
  readonly readGuards: ReadAlarms;
  /** Secrets that this machine stores. Tables contain hashes. */
  readonly keptSecrets: readonly string[];
}

/** A valid request. */
export interface HandlerInput<Name extends keyof Requests> {
  readonly env: string;
  readonly secret: string;
  readonly plan: string;
  readonly body: Requests[Name]['body'];
  readonly query: Requests[Name]['query'];
}

/** Handlers of all requests. `answerTo` converts their errors. */
export type Handlers = {
  readonly [Name in keyof Requests]: (input: HandlerInput<Name>) => Promise<Requests[Name]['answer']>;
};

/** The store with the operator as the author. */
export type OpenStore = (command: string, remark?: string) => FlagStore;
