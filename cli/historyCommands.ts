import { type Command, Option } from 'commander';
import { wholeNumber } from '../shared/command/numbers.ts';
import { differences, formatDifference } from '../shared/flags/difference.ts';
import { formatTimestamp, parseTimestamp } from '../shared/flags/timestamp.ts';
import type { Change } from '../shared/store/history.ts';
import { contentOf, type StoredDocument } from '../shared/store/item.ts';
import { reportChanges } from './changes.ts';
import type { CommandMaker, Session } from './command.ts';
import { CliError } from './io.ts';
import { write } from './largeEnvironment.ts';

/** How many documents of one change are shown: an import has thousands. */
const SHOWN_DOCUMENTS = 20;

interface HistoryOptions {
  readonly limit: number;
}

/** A changed document, with how it differs from what it was. */
interface ShownDocument {
  readonly kind: StoredDocument['kind'];
  readonly id: string;
  readonly before: unknown;
  readonly lines: readonly string[];
}

interface ShownChange extends Omit<Change, 'documents'> {
  readonly documents: readonly ShownDocument[];
}

/** `history` and `undo`: who changed what, when, from where, and what it was before. */
export function addHistoryCommands(program: Command, commands: CommandMaker): void {
  commands.add<HistoryOptions>(
    program,
    'history [id]',
    'show who changed what, when and how, newest first; of one flag (by its key) or segment (by its id) if it is named',
    showHistory,
    [new Option('--limit <changes>', 'how many changes').argParser(wholeNumber).default(20)],
  );

  commands.add(
    program,
    'undo <change>',
    'take a change back, by its version in the history; what it made is archived',
    async (session, [change = '']) => {
      const version = readTime(change);
      const written = await write(session, (envId) => session.store.history.undo(envId, version));
      reportChanges(session, written, `the change ${change} is taken back`);
    },
  );
}

/** Unix milliseconds of an instant that somebody wrote. @throws {CliError} */
export function readTime(text: string): number {
  const ms = parseTimestamp(text);
  if (ms !== undefined) return ms;
  throw new CliError(`"${text}" is not an instant; write it as ${formatTimestamp(0)}`);
}

async function showHistory(session: Session, [id]: readonly string[], { limit }: HistoryOptions): Promise<void> {
  const environment = await session.environment();
  const shown: ShownChange[] = [];
  for await (const { documents: changed, ...entry } of session.store.history.changes(environment.id)) {
    const documents = changed.filter((document) => id === undefined || document.id === id).map(shownDocument);
    if (documents.length > 0) shown.push({ ...entry, documents });
    if (shown.length >= limit) break;
  }
  session.result(
    shown.map(({ version, at, by, command, documents }) => ({
      version: formatTimestamp(version),
      at: formatTimestamp(at),
      by,
      command,
      documents: documents.map(({ lines, ...document }) => ({ ...document, differences: lines })),
    })),
    shown.length === 0
      ? `there are no changes${id === undefined ? '' : ` of "${id}"`}`
      : shown.flatMap((change, index) => [...(index === 0 ? [] : ['']), ...entryLines(change)]),
  );
}

function shownDocument({ kind, id, ...document }: Change['documents'][number]): ShownDocument {
  const [before, after] = [contentOf(document.before), contentOf(document.after)];
  const lines = before ? differences(before, after).map(formatDifference) : ['created'];
  return { kind, id, before: before ?? null, lines };
}

function entryLines({ version, at, by, command, documents }: ShownChange): string[] {
  const written = version === at ? '' : `, written ${formatTimestamp(at)}`;
  const lines = documents
    .slice(0, SHOWN_DOCUMENTS)
    .flatMap(({ kind, id, lines: differing }) => differing.map((line) => `  ${kind} "${id}" ${line}`));
  const rest = documents.length - SHOWN_DOCUMENTS;
  return [
    `${formatTimestamp(version)}  ${by}${written}`,
    ...(command === '' ? [] : [`  ${command}`]),
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
