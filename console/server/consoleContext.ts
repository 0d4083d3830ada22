import type { Hono, Context as HonoContext } from 'hono';
import type { ReadAlarms } from '../../shared/runtime/alarms.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import type { ConnectionsTable } from '../../shared/store/connections/connections.ts';
import type { Environments } from '../../shared/store/environments/environments.ts';
import type { FlagsTable } from '../../shared/store/reader.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import type { Author } from '../../shared/store/table/author.ts';
import type { Context, Requests } from '../api.ts';
import type { Alarms } from '../attention.ts';
import type { ErrorCode } from '../errors.ts';
import type { Look } from '../live.ts';
import type { BuiltPage } from '../page/build.ts';

/** The table and the operator of a console. */
export interface ConsoleContext {
  /** Includes the connections table, if known. */
  readonly tables: FlagsTable & Partial<ConnectionsTable>;
  readonly effects: Effects;
  /** The context without the operator's name, which AWS may return later. */
  readonly context: Omit<Context, 'by'>;
  /** The operator in the history. */
  readonly author: () => Promise<Omit<Author, 'command'>>;
  /** Reads the deployment's alarms. Absent without CloudWatch. @throws errors of AWS */
  readonly readAlarms?: () => Promise<Alarms>;
  /** Reads the alarms that guard plans. */
  readonly readGuards: ReadAlarms;
  /** Secrets that this machine stores. Tables contain hashes. */
  readonly keptSecrets: readonly string[];
  /** Reads what happens in an environment, for pages that poll. */
  readonly look?: (envId: string) => Promise<Look>;
}

/** The console of one operator. */
export interface OpenConsole {
  readonly handlers: Handlers;
  readonly environments: Environments;
}

/** Hono's types of the app. Its adapter sets the bindings. */
export interface ConsoleEnv {
  readonly Bindings: object;
  readonly Variables: { enter: Enter };
}

/** Opens the console for a request. @param env its `:env`, or empty @throws {RequestError} without the right */
export type Enter = (name: keyof Requests, env: string) => Promise<OpenConsole>;

/** Who may send requests. */
export interface Access {
  /** Refuses a request by its sender, before anything of it is read. @throws {RequestError} */
  admit(context: HonoContext<ConsoleEnv>): void;
  /** Finds out who sends a request to the API. @throws {RequestError} if it is unknown */
  identify(context: HonoContext<ConsoleEnv>): Promise<Enter>;
  /** Texts in place of AWS's, which name resources, for people without AWS keys. */
  readonly concealed?: Partial<Record<ErrorCode, string>>;
  /** Adds the routes of the sign-in. */
  addRoutes?(app: Hono<ConsoleEnv>, page: Promise<BuiltPage>): void;
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
