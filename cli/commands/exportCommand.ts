import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document } from '../../shared/flags/document.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import type { CommandMaker } from '../command.ts';
import { exportToFlagd } from '../import/flagd/export.ts';
import type { Translation } from '../import/translation/translator.ts';
import { CliError, writeAtomically } from '../io.ts';
import type { Session } from '../session.ts';
import { counted } from '../text.ts';
import { readTime } from './historyCommands.ts';

interface ExportOptions {
  readonly output?: string;
  readonly to?: 'flagd';
  readonly at?: string;
  readonly strict?: boolean;
}

/** `export`. */
export function addExportCommand(program: Command, commands: CommandMaker): void {
  commands.add<ExportOptions>(program, 'export', 'write all flags and segments as JSON', exportDocuments, [
    new Option('--output <file>', 'file to write (default: standard output)').argParser(userPath),
    new Option('--at <time>', 'state at this time, if the history contains it: 2030-01-31T12:00:00Z'),
    new Option('--to <service>', 'write the format of another service, and list what differs').choices(['flagd']),
    new Option('--strict', 'write nothing and exit with 1 if a flag is left out'),
  ]);
}

async function exportDocuments(
  session: Session,
  _args: readonly string[],
  { output, to, at, strict = false }: ExportOptions,
): Promise<void> {
  const { id } = await session.environment();
  const { documents: current, history } = session.store;
  const stored = at === undefined ? await current.load(id) : (await history.stateAt(id, readTime(at))).documents;
  const documents = stored.map(requireDocument);
  const { content, counts } = to === undefined ? asDocuments(documents) : asFlagd(session, documents, strict);
  if (output === undefined) return session.result(content);
  writeAtomically(output, `${JSON.stringify(content, null, 2)}\n`);
  session.result(
    { output, ...counts },
    `wrote ${counted(counts.flags, 'flag')} and ${counted(counts.segments, 'segment')} to ${output}`,
  );
}

/** Counts documents without deleted ones. The file contains these so that SDKs in the target environment drop them. */
function asDocuments(documents: readonly Document[]) {
  const { segments, flags } = byKind(documents);
  const shown = byKind(withoutDeleted(documents));
  return { content: { segments, flags }, counts: { flags: shown.flags.length, segments: shown.segments.length } };
}

function asFlagd(session: Session, documents: readonly Document[], strict: boolean) {
  const { file, leftOut, differences } = exportToFlagd(documents);
  const written = Object.keys(file.flags).length;
  const missing = `${leftOut.length} of ${counted(written + leftOut.length, 'flag')} left out`;
  if (strict && leftOut.length > 0) {
    throw new CliError(
      `${missing}; nothing was written. Change or archive these flags, or export without --strict:`,
      leftOut,
    );
  }
  noteTranslation(session, { leftOut, differences });
  if (leftOut.length > 0) session.note(`warning: ${missing}`);
  const counts = { flags: written, segments: Object.keys(file.$evaluators).length };
  return { content: file, counts: { ...counts, leftOut, differences } };
}

/** Notes what another service cannot express, or expresses differently. */
export function noteTranslation(
  session: Session,
  { leftOut, differences }: Pick<Translation, 'leftOut' | 'differences'>,
): void {
  for (const line of leftOut) session.note(`left out: ${line}`);
  for (const line of differences) session.note(`different: ${line}`);
}
