import type { Document } from '../shared/flags/document.ts';
import type { Environment } from '../shared/store/environments/environment.ts';
import type { Io, Line } from './io.ts';
import type { Schedule } from './schedule.ts';
import type { Target } from './target.ts';

/** What a command can use. */
export interface Session extends Target {
  /** The environment from `--env`, `FLAGWIRE_ENV`, the folder's file, `npm start`, or the only one. */
  readonly environment: () => Promise<Environment>;
  /**
   * The environment to change, by default the chosen one. If it is marked as production, the operator must confirm
   * first (`confirmProduction`). If it requires a reason and the command has none, the operator is asked for it. Commands must get each environment that they change from here. `show` shows the change
   * before the operator confirms.
   */
  readonly environmentToChange: (given?: Environment, show?: () => void) => Promise<Environment>;
  /** The ids of the environments that the command was given to change. */
  readonly environmentsToChange: () => readonly string[];
  /** The environment's flags or segments. Deleted ones are optional. */
  readonly documents: <T extends Document['document']>(
    kind: Document['kind'],
    withDeleted?: 'with deleted',
  ) => Promise<T[]>;
  /** A command line for the user to type next. It has the environment, by default that of this command, and the data directory. */
  readonly typable: (line: string, environment?: string) => string;
  /** With `--at`: the time and the plans of the changes. Then nothing is written. */
  readonly schedule?: Schedule;
  /** The environment of a change at the end of a sentence. With `--verbose` also its version and table. */
  readonly where: (version?: number) => string;
  /** True if results contain versions, ids and tables, and times in ISO 8601. */
  readonly isVerbose: boolean;
  /** Formats a time for people. @param at unix milliseconds */
  readonly time: (at: number) => string;
  /** An author, command or reason of the store, for people. */
  readonly plain: (text: string) => string;
  /** Asks the operator. Absent without a terminal. */
  readonly ask?: Io['ask'];
  /** Writes the result as text, one or more lines. With `--json`, or without text, it writes JSON. */
  readonly result: (json: unknown, text?: Line | readonly Line[]) => void;
  /** Writes one of many results, as text, or with `--json` as a line of JSON. */
  readonly event: (json: unknown, text: readonly Line[]) => void;
  /** Writes a one-line note to standard error. */
  readonly note: (text: string) => void;
  /** The same, if somebody watches the terminal. */
  readonly progress: (text: string) => void;
  /** Makes the command exit with 1 after it completes. */
  readonly exitWithOne: () => void;
}

/** The action of a command, given its arguments in order and its options. */
export type Action<Options> = (session: Session, args: readonly string[], options: Options) => Promise<void>;
