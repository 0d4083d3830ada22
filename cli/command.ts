import { Argument, type Command, Option } from 'commander';
import type { Document } from '../shared/flags/document.ts';
import { printableJson } from '../shared/protocol/printable.ts';
import { DATA_FOLDER } from '../shared/runtime/announcement.ts';
import type { Environment } from '../shared/store/environment.ts';
import { NotFound } from '../shared/store/errors.ts';
import { requireDocument } from '../shared/store/item.ts';
import type { FlagStore } from '../shared/store/store.ts';
import { CHOICE_FILE, chosenEnvironment } from './environmentChoice.ts';
import { CliError, type Io, oneLine } from './io.ts';
import { findTarget, type Target } from './target.ts';

/** The options of every command. */
interface CommonOptions {
  readonly env?: string;
  readonly data: string;
  readonly json?: boolean;
}

/** What a command works with. */
export interface Session extends Target {
  /** The environment that `--env`, `FLAGWIRE_ENV` or the folder's file names, or the only one there is. */
  readonly environment: () => Promise<Environment>;
  /** The environment's flags, or its segments. */
  readonly documents: <T extends Document['document']>(kind: Document['kind']) => Promise<T[]>;
  /** The environment and the table that are worked on, for messages about a change. */
  readonly where: () => string;
  /** Writes the result: as text, a line or several, or as JSON with `--json` and where there is no text. */
  readonly result: (json: unknown, text?: string | readonly string[]) => void;
  /** Writes a note of one line next to the result. */
  readonly note: (text: string) => void;
}

/** What a command does, given its arguments in order and its options. */
type Action<Options> = (session: Session, args: readonly string[], options: Options) => Promise<void>;

/** An option that can be given several times; its value is a list. */
export function repeatable(flags: string, description: string): Option {
  const option = new Option(flags, `${description}; can be repeated`).default([]);
  return option.argParser((value, all) => [...(all as string[]), value]);
}

/** Makes commands that share the common options and the form of results. */
export class CommandMaker {
  readonly #io: Io;
  readonly #line: string;

  /** @param argv the words of the command line, for the history */
  constructor(io: Io, argv: readonly string[]) {
    this.#io = io;
    this.#line = argv
      .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
      .join(' ');
  }

  /**
   * Adds a command below `parent`.
   *
   * @param usage its name and arguments as commander writes them: `target <flag> <variation> <keyIds...>`
   * @param options further options of its own
   */
  add<Options extends object = object>(
    parent: Command,
    usage: string,
    description: string,
    action: Action<Options>,
    options: readonly Option[] = [],
  ): Command {
    const [name = '', ...args] = usage.split(' ');
    const command = parent.command(name).description(description);
    for (const argument of args) command.addArgument(new Argument(argument));
    for (const option of options) command.addOption(option);
    command
      .addOption(
        new Option(
          '--env <environment>',
          'name or id of the environment; required only when there are several and env use has chosen none',
        ).env('FLAGWIRE_ENV'),
      )
      .addOption(new Option('--data <directory>', 'data directory of npm start').default(DATA_FOLDER))
      .addOption(new Option('--json', 'write the result as JSON'));
    return command.action(async (...received: unknown[]) => {
      const given = command.opts<CommonOptions & Options>();
      const values = received.slice(0, args.length).flatMap((value) => (value === undefined ? [] : (value as string)));
      await action(this.#open(given), values, given);
    });
  }

  #open({ env, data, json }: CommonOptions): Session {
    const target = findTarget(data, this.#line);
    if (target.insteadOf) {
      this.#io.err(`note: FLAGS_TABLE chooses table ${target.table}, not that of npm start in ${target.insteadOf}`);
    }
    let chosen: Environment | undefined;
    const environment = async () => {
      chosen ??= await chooseEnvironment(target, env);
      return chosen;
    };
    return {
      ...target,
      environment,
      where: () => `${chosen ? `environment "${chosen.name}", ` : ''}table ${target.table}`,
      documents: async <T>(kind: Document['kind']) => {
        const { id } = await environment();
        const stored = (await target.store.documents.load(id)).filter((document) => document.kind === kind);
        return stored.map((document) => requireDocument(document).document as T);
      },
      result: (value, text) =>
        this.#io.out(
          json || text === undefined
            ? printableJson(JSON.stringify(value, null, 2))
            : [text].flat().map(oneLine).join('\n'),
        ),
      note: (text) => this.#io.err(oneLine(text)),
    };
  }
}

async function chooseEnvironment({ store }: Target, named: string | undefined): Promise<Environment> {
  if (named !== undefined) return store.environments.find(named);
  const choice = chosenEnvironment();
  if (choice !== undefined) return findChosen(store, choice);
  const all = await store.environments.list();
  const [only] = all;
  if (only && all.length === 1) return store.environments.find(only.id);
  throw new CliError(
    all.length === 0
      ? 'there is no environment yet; create one with: env create <name>'
      : `there are several environments: ${all.map(({ name }) => name).join(', ')}; choose one with --env, or for this folder with: env use <environment>`,
  );
}

async function findChosen({ environments }: FlagStore, choice: string): Promise<Environment> {
  try {
    return await environments.find(choice);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new CliError(`${error.message}. ${CHOICE_FILE} names it: choose another with env use <environment>`);
  }
}
