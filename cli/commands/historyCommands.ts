import { setTimeout as pause } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { wholeNumber } from '../../shared/command/numbers.ts';
import { onStop } from '../../shared/command/stopOnSignals.ts';
import { changesOf, changeText } from '../../shared/describe/documentChanges.ts';
import { changeAction } from '../../shared/flags/changeAction.ts';
import { formatName } from '../../shared/flags/document.ts';
import { formatTimestamp, parseTimestamp } from '../../shared/flags/timestamp.ts';
import { findVersion } from '../../shared/store/connections/receipt.ts';
import { readableDocument } from '../../shared/store/documents/item.ts';
import type { Change } from '../../shared/store/history/history.ts';
import { namesOf, reportChanges } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { write } from '../write.ts';

/** Maximum number of documents shown for one change. An import has thousands. */
const SHOWN_DOCUMENTS = 20;
/** From which difference the time of writing is shown next to the version. */
const SHOWN_SKEW_MS = 1_000;

interface HistoryOptions {
  readonly limit: number;
}

/** `history` and `undo`: all changes with author, time, origin, reason and previous values. */
export function addHistoryCommands(program: Command, commands: CommandMaker): void {
  commands.add<HistoryOptions>(
    program,
    'history [id]',
    'show who changed what, when and how, newest first. Name a flag or segment to see only its changes',
    showHistory,
    [new Option('--limit <changes>', 'number of changes').argParser(wholeNumber).default(20)],
  );

  commands.change(
    program,
    'undo [change]',
    'undo a change, by its version in the history, or the last one. Flags and segments that it created are archived',
    async (session, [named]) => {
      const version = readTime(named ?? (await offerLastChange(session)));
      const written = await write(session, (envId) => session.store.history.undo(envId, version));
      const change = `the change of ${session.time(version)}`;
      reportChanges(session, written, `undid ${change}`, `${change} is undone`, `; changed: ${namesOf(written)}`);
    },
  );
  addTailCommand(program, commands);
}

/** Shows the last change, and asks whether to undo it. @returns its version @throws {CliError} without a change or a yes */
async function offerLastChange(session: Session): Promise<string> {
  const { id, name } = await session.environment();
  for await (const change of session.store.history.changes(id)) {
    const version = formatTimestamp(change.version);
    for (const line of entryLines(session, change)) session.note(line);
    if (!session.ask)
      throw new UsageError(`name the change to undo. The last one: ${session.typable(`undo ${version}`)}`);
    if (/^y(es)?$/i.test(await session.ask('Undo this change? (y/N) '))) return version;
    throw new CliError('nothing was undone');
  }
  throw new CliError(`environment "${name}" has no changes in its history`);
}

/** Parses a timestamp from an operator into unix milliseconds. @throws {UsageError} */
export function readTime(text: string): number {
  const ms = parseTimestamp(text);
  if (ms !== undefined) return ms;
  throw new UsageError(
    `"${text}" is not a date and time, such as ${formatTimestamp(0)}; \`history --verbose\` shows the times of changes`,
  );
}

async function showHistory(session: Session, [id]: readonly string[], { limit }: HistoryOptions): Promise<void> {
  const environment = await session.environment();
  session.progress(`in ${environment.name}`);
  const shown: Change[] = [];
  for await (const change of session.store.history.changes(environment.id)) {
    shown.push(...changeOf(change, id));
    if (shown.length >= limit) break;
  }
  session.result(
    shown.map(changeJson),
    shown.length === 0
      ? `there are no changes${id === undefined ? '' : ` of "${id}"`}`
      : shown.flatMap((change, index) => [...(index === 0 ? [] : ['']), ...entryLines(session, change)]),
  );
  if (shown.length > 0 && !session.isVerbose) session.progress('--verbose also shows the versions, which undo takes');
}

/** A change with its documents of this flag or segment, if one is named. @returns nothing if there are none */
function changeOf(change: Change, named: string | undefined): Change[] {
  const documents = change.documents.filter(({ id }) => [undefined, id, change.segmentName(id)].includes(named));
  return documents.length === 0 ? [] : [{ ...change, documents }];
}

/** A change as JSON. */
function changeJson({ version, at, by, command, commit, signedBy, documents, segmentName }: Change): object {
  return {
    version: formatTimestamp(version),
    at: formatTimestamp(at),
    by,
    command,
    ...(commit === undefined ? {} : { commit }),
    ...(signedBy === undefined ? {} : { signedBy }),
    documents: documents.map((document) => {
      const { kind, id, before } = document;
      const content = before && readableDocument(before)?.document;
      return { kind, id, before: content ?? null, differences: differencesIn(document, segmentName) };
    }),
  };
}

/** What a change did to a document, in words: `created`, `deleted`, or each difference. */
function differencesIn(document: Change['documents'][number], segmentName: Change['segmentName']): string[] {
  const [before, after] = [document.before, document.after].map((stored) => stored && readableDocument(stored));
  const action = changeAction(before?.document, after?.document);
  if (action === 'created' || action === 'deleted') return [action];
  return after ? changesOf(before, after, segmentName).map((change) => changeText(change)) : ['cannot be read'];
}

/** A change as lines. */
export function entryLines({ time, plain }: Session, change: Change): string[] {
  const { version, at, by, command, signedBy, documents } = change;
  // Versions of one change are milliseconds apart: only a clock that was wrong makes a difference to see.
  const written = Math.abs(version - at) < SHOWN_SKEW_MS ? '' : `, written ${time(at)}`;
  const rest = documents.length - SHOWN_DOCUMENTS;
  return [
    // Before the time, where no text of a writer can imitate it.
    `${signedBy === undefined ? '' : 'verified '}${time(version)}  ${plain(by)}${written}`,
    ...(command === '' ? [] : [`  ${plain(command)}`]),
    ...documents.slice(0, SHOWN_DOCUMENTS).flatMap((document) => documentLines(document, change)),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function documentLines(document: Change['documents'][number], { segmentName }: Change): string[] {
  const { kind, id } = document;
  const name = formatName({ kind, id: kind === 'segment' ? segmentName(id) : id });
  return differencesIn(document, segmentName).map((text) =>
    text === 'created' || text === 'deleted' ? `  ${text} ${name}` : `  ${name} ${text}`,
  );
}

/** Time between two reads of the history, which take one read unit each. */
const EVERY_MS = 1_000;

/** `tail`: changes as they happen. */
function addTailCommand(program: Command, commands: CommandMaker): void {
  commands.add<{ by?: string }>(
    program,
    'tail [id]',
    'show changes as they happen, until Ctrl-C. Name a flag or segment to see only its changes',
    async (session, [id], { by }) => {
      const ended = new AbortController();
      onStop(() => ended.abort());
      const { id: envId, name } = await session.environment();
      session.progress(`waiting for changes in ${name}; Ctrl-C ends this`);
      const newest = await findVersion(session.store.history, envId);
      await followChanges(session, { id, by, since: newest?.version ?? 0 }, ended.signal);
    },
    [new Option('--by <text>', 'only changes by authors whose names contain this text')],
  );
}

/** The changes to show: those after a version, and of a document or an author if they are named. */
interface Followed {
  readonly id: string | undefined;
  readonly by: string | undefined;
  readonly since: number;
}

/** Writes each new change, oldest first, until it is stopped. */
export async function followChanges(
  session: Session,
  { id, by = '', since }: Followed,
  signal: AbortSignal,
): Promise<void> {
  const environment = await session.environment();
  for (let last = since; !signal.aborted; await pause(EVERY_MS, undefined, { signal }).catch(() => {})) {
    const found: Change[] = [];
    for await (const change of session.store.history.changes(environment.id)) {
      if (change.version <= last) break;
      found.unshift(change);
    }
    last = found.at(-1)?.version ?? last;
    for (const shown of found.filter((each) => each.by.includes(by)).flatMap((change) => changeOf(change, id))) {
      session.event(changeJson(shown), entryLines(session, shown));
    }
  }
}
