import { setTimeout as pause } from 'node:timers/promises';
import { Argument, type Command, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { optionWords } from '../shared/command/quoteWord.ts';
import { userPath } from '../shared/command/userPath.ts';
import { versionWarning } from '../shared/command/versionWarning.ts';
import { plainText, timeText } from '../shared/describe/plainText.ts';
import type { Document } from '../shared/flags/document.ts';
import { formatTimestamp } from '../shared/flags/timestamp.ts';
import { printableJson } from '../shared/protocol/printable.ts';
import { DATA_FOLDER } from '../shared/runtime/announcement.ts';
import { type Effects, systemEffects } from '../shared/runtime/effects.ts';
import { ownCommand } from '../shared/runtime/ownCommand.ts';
import { requireDocument } from '../shared/store/documents/item.ts';
import type { Environment } from '../shared/store/environments/environment.ts';
import {
  askReason,
  type ConfirmOptions,
  confirmOptions,
  confirmProduction,
  historyLine,
  reasonOption,
} from './confirmProduction.ts';
import { chooseEnvironment } from './environmentChoice.ts';
import { type Io, lineText, oneLine, UsageError } from './io.ts';
import { notePausedPlans } from './notePaused.ts';
import { GUARD_HELP, type GuardOptions, scheduleChanges, timeOption, watchOption } from './schedule.ts';
import type { Action, Session } from './session.ts';
import { findTarget, type Target } from './target.ts';
import { type WaitOptions, waitAfter, waitOptions } from './waitForPush.ts';

/** How long a command that is done waits for the version of the service, in milliseconds. Its own only read may take as long. */
const VERSION_GRACE_MS = 50;

/** The common options, and those of commands that change something. */
export interface CommonOptions extends ConfirmOptions, WaitOptions {
  readonly env?: string;
  readonly data: string;
  readonly json?: boolean;
  readonly reason?: string;
  readonly verbose?: boolean;
  /** The exit code tells a difference (1) from a failure (2). */
  readonly exitCode?: boolean;
}

/** A repeatable option. Its value is a list. */
export function repeatable(flags: string, description: string): Option {
  const option = new Option(flags, `${description}. Can be repeated`).default([]);
  return option.argParser((value, all) => [...(all as string[]), value]);
}

/**
 * A command: `usage` is its name with arguments in commander's syntax (`target <flag> <variation> <userKeys...>`), and
 * `options` are its own.
 */
type Definition<Options> = readonly [
  parent: Command,
  usage: string,
  description: string,
  action: Action<Options>,
  options?: readonly Option[],
];

/** Creates commands with the common options and output format. */
export class CommandMaker {
  readonly #io: Io;
  readonly #argv: readonly string[];
  readonly #effects: Effects;
  /** Exit code of a command that succeeded. */
  exitCode: 0 | 1 = 0;
  /** Exit code of a command that failed. It is 2 if 1 says that there is a difference, as in `diff`. */
  failureCode: 1 | 2 = 1;

  /**
   * @param argv the words of the command line, for the history
   * @param effects clock, randomness and waiting of the store
   */
  constructor(io: Io, argv: readonly string[], effects: Effects = systemEffects) {
    this.#io = io;
    this.#argv = argv;
    this.#effects = effects;
  }

  /**
   * Adds a command that changes flags or segments. It accepts a reason for the history and asks before it changes
   * production.
   */
  change<Options extends object = object>(
    ...[parent, usage, description, action, options = []]: Definition<Options>
  ): Command {
    return this.add(parent, usage, description, action, [...options, ...writeOptions()]);
  }

  /**
   * Adds a command that changes flags or segments that exist. It can also plan the change for a later time (`--at`).
   */
  edit<Options extends object = object>(
    ...[parent, usage, description, action, options = []]: Definition<Options>
  ): Command {
    const atTime: Action<Options & GuardOptions & { at: string }> = async (session, args, given) => {
      if (given.at === 'now' && (given.guard?.length || given.watch !== undefined)) {
        throw new UsageError('--guard and --watch belong to a plan; add --at <time>');
      }
      await action(given.at === 'now' ? session : await scheduleChanges(session, given.at, given), args, given);
    };
    return this.change(parent, usage, description, atTime, [
      ...options,
      timeOption(),
      repeatable('--guard <alarm>', GUARD_HELP),
      watchOption(),
    ]);
  }

  /** Adds a command that reads or changes the environment of `--env`. */
  add<Options extends object = object>(
    ...[parent, usage, description, action, options = []]: Definition<Options>
  ): Command {
    return this.addGlobal(parent, usage, description, action, [...options, environmentOption()]);
  }

  /** Adds a command that names its environments in another way than by `--env`, or needs none. */
  addGlobal<Options extends object = object>(
    ...[parent, usage, description, action, options = []]: Definition<Options>
  ): Command {
    const [name = '', ...args] = usage.split(' ');
    const command = parent.command(name).description(description);
    for (const argument of args) command.addArgument(new Argument(argument));
    for (const option of options) command.addOption(option);
    command
      .addOption(
        new Option('--data <directory>', `data directory of ${ownCommand('start')}`)
          .argParser(userPath)
          .default(DATA_FOLDER),
      )
      .addOption(new Option('--json', 'write the result as JSON'))
      .addOption(new Option('--verbose', 'also write versions, ids and the table, and times in ISO 8601'));
    return command.action(async (...received: unknown[]) => {
      const given = command.opts<CommonOptions & Options>();
      if (given.exitCode) this.failureCode = 2;
      const values = received.slice(0, args.length).flatMap((value) => (value === undefined ? [] : (value as string)));
      const isChange = options.some(({ long }) => long === '--reason');
      const session = this.open(given, isChange);
      const startedAt = session.store.effects.now();
      const act = options.some(({ long }) => long === '--wait') ? waitAfter(action) : action;
      const ended = new AbortController();
      const compared = this.#compareVersions(session, ended.signal);
      try {
        await act(session, values, given);
        if (isChange) await notePausedPlans(session, startedAt);
        await Promise.race([compared, pause(VERSION_GRACE_MS, undefined, { ref: false })]);
      } finally {
        ended.abort();
        // Nothing of a command goes on after its end.
        await compared;
      }
    });
  }

  /**
   * Warns if the deployed service has another version. It hides errors: the command itself reports those of the table, and policies
   * of an older deployment do not allow this read.
   */
  async #compareVersions({ serviceVersion }: Target, ended: AbortSignal): Promise<void> {
    const version = await serviceVersion?.(ended).catch(() => undefined);
    const warning = version && versionWarning(packageJson.version, version);
    if (warning && !ended.aborted) this.#io.err(`warning: ${warning}`);
  }

  /**
   * Opens the store for a command.
   *
   * @param takesReason whether the command changes flags or segments
   * @throws {CliError} as {@link findTarget}
   */
  open(options: CommonOptions, takesReason = false): Session {
    const { env, data, json, verbose = false, commit } = options;
    let { reason } = options;
    const target = findTarget(data, () => historyLine(this.#argv, reason), this.#effects, commit);
    if (target.insteadOf) {
      this.#io.err(
        `note: using table ${target.table} (FLAGS_TABLE), not the table of ${ownCommand('start')} in ${target.insteadOf}`,
      );
    }
    let chosen: Environment | undefined;
    const environment = async () => {
      chosen ??= await chooseEnvironment(target, env);
      return chosen;
    };
    const confirmed = new Set<string>();
    const environmentToChange = async (given?: Environment, show?: () => void) => {
      const found = given ?? (await environment());
      if (takesReason && found.requiresReason && !reason?.trim()) reason = await askReason(this.#io, found, options);
      if (!confirmed.has(found.id)) await confirmProduction(this.#io, found, options, show);
      confirmed.add(found.id);
      return found;
    };
    return {
      ...target,
      environment,
      environmentToChange,
      environmentsToChange: () => [...confirmed],
      typable: (line, named = env) =>
        ownCommand(
          'flags',
          [line, ...optionWords('--env', named), ...optionWords('--data', data, DATA_FOLDER)].join(' '),
        ),
      isVerbose: verbose,
      ...(this.#io.ask && options.input !== false && { ask: this.#io.ask }),
      where: (version) => {
        const exact = version === undefined ? '' : `version ${formatTimestamp(version)}, `;
        return `${chosen ? ` in ${chosen.name}` : ''}${verbose ? ` (${exact}table ${target.table})` : ''}`;
      },
      time: (at) => (verbose ? formatTimestamp(at) : timeText(at, target.store.effects.now())),
      plain: (text) => (verbose ? text : plainText(text, { now: target.store.effects.now(), own: target.own })),
      documents: async <T>(kind: Document['kind'], withDeleted?: 'with deleted') => {
        const { id } = await environment();
        const stored = (await target.store.documents.load(id)).filter((document) => document.kind === kind);
        const all = stored.map((document) => requireDocument(document).document);
        return all.filter(({ isDeleted }) => withDeleted || !isDeleted) as T[];
      },
      result: (value, text) =>
        this.#io.out(
          json || text === undefined
            ? printableJson(JSON.stringify(value, null, 2))
            : [text].flat().map(lineText).join('\n'),
        ),
      event: (value, lines) =>
        this.#io.out(json ? printableJson(JSON.stringify(value)) : lines.map(lineText).join('\n')),
      note: (text) => this.#io.err(oneLine(text)),
      progress: (text) => {
        if (this.#io.ask) this.#io.err(oneLine(text));
      },
      exitWithOne: () => {
        this.exitCode = 1;
      },
    };
  }
}

/** The options of a command that changes flags or segments now. */
export const writeOptions = (): Option[] => [...changeOptions(), ...waitOptions()];

/** The options of a command that changes flags or segments, now or later. */
export const changeOptions = (): Option[] => [reasonOption(), ...confirmOptions()];

function environmentOption(): Option {
  const text =
    'name or id of the environment. By default, the choice of "env use", the one of local keys, or the only one';
  return new Option('--env <environment>', text).env('FLAGWIRE_ENV');
}
