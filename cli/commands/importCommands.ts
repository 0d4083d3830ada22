import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentName, formatName } from '../../shared/flags/document.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { requireDocument, type StoredDocument } from '../../shared/store/documents/item.ts';
import { writeAtomically } from '../atomicWrite.ts';
import type { CommandMaker } from '../command.ts';
import { exportToFlagd } from '../import/flagd/export.ts';
import { readForeignFile, readImportFile } from '../import/importFile.ts';
import { prepareImport, previewLines } from '../import/importPreview.ts';
import { SERVICES } from '../import/services.ts';
import type { Translation } from '../import/translation/translator.ts';
import { CliError, UsageError } from '../io.ts';
import { sizeWarnings, write } from '../largeEnvironment.ts';
import { noteSdkDifferences } from '../sdkNotes.ts';
import type { Session } from '../session.ts';
import { counted, countedDocuments } from '../text.ts';
import { readTime } from './historyCommands.ts';

const OLDER_ADVICE =
  'To keep the stored flags and segments, remove the older ones from the file. To replace them, import without --strict';

interface ImportOptions {
  readonly flags?: string;
  readonly segments?: string;
  readonly from?: string;
  readonly sourceEnv?: string;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
}

interface ExportOptions {
  readonly output?: string;
  readonly to?: 'flagd';
  readonly at?: string;
  readonly strict?: boolean;
}

/** `import` and `export`. */
export function addImportCommands(program: Command, commands: CommandMaker): void {
  commands.change<ImportOptions>(
    program,
    'import [file]',
    'import flags and segments from FeatBit or another service. Those with the same key or id are replaced. Others stay unchanged',
    importFiles,
    [
      new Option('--flags <file>', 'JSON file: an array of flags, or the output of export').argParser(userPath),
      new Option('--segments <file>', 'JSON file: an array of segments').argParser(userPath),
      new Option(
        '--from <service>',
        'service that wrote [file]. If omitted, the command detects the service from the content. The output lists what is left out or differs',
      ).choices(Object.keys(SERVICES)),
      new Option('--source-env <name>', 'environment of [file] to import, if it has several'),
      new Option('--dry-run', 'show what would change, and write nothing'),
      new Option('--strict', 'write nothing and exit with 1 if something is left out or there is a warning'),
    ],
  );

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
function noteTranslation(
  session: Session,
  { leftOut, differences }: Pick<Translation, 'leftOut' | 'differences'>,
): void {
  for (const line of leftOut) session.note(`left out: ${line}`);
  for (const line of differences) session.note(`different: ${line}`);
}

async function importFiles(
  session: Session,
  [file]: readonly string[],
  { flags, segments, from, sourceEnv, dryRun, strict }: ImportOptions,
): Promise<void> {
  if (file === undefined && from !== undefined) {
    throw new UsageError(`--from ${from} needs a file: import --from ${from} <file>`);
  }
  const foreign = file === undefined ? undefined : readForeignFile(userPath(file), from, sourceEnv);
  if (foreign && from === undefined) session.note(`read as --from ${foreign.from}, by its content`);
  const readings = [
    ...(segments === undefined ? [] : [readImportFile(segments, 'segment')]),
    ...(flags === undefined ? [] : [readImportFile(flags, 'flag')]),
    ...(foreign ? [foreign] : []),
  ];
  if (readings.length === 0)
    throw new UsageError('nothing to import: give a file, or --flags <file> or --segments <file>');
  const errors = readings.flatMap((reading) => reading.errors);
  if (errors.length > 0) {
    throw new CliError(`${counted(errors.length, 'error')}; nothing was imported:`, errors);
  }
  const { id, name } = await session.environment();
  const prepared = prepareImport((await session.store.documents.load(id)).map(requireDocument), readings);
  const { stored, documents, preview, older, others, report } = prepared;
  const sizes = sizeWarnings(name, stored, documents);
  if (strict) requireComplete(report.leftOut, older, [...others, ...sizes]);
  noteTranslation(session, report);
  const warnings = [...older, ...others];
  for (const warning of warnings) session.note(`warning: ${warning}`);
  const { created, changed, unchanged } = preview;
  const counts = `${created.length} new, ${changed.length} changed, ${unchanged} unchanged`;
  if (!dryRun) {
    const isChanged = await writeImport(session, prepared, counts, warnings);
    if (foreign && isChanged)
      session.note(
        `next: compare values of some users with the old service: ${session.typable('evaluate --user <key>')}`,
      );
    return;
  }
  noteSdkDifferences(session, stored, documents);
  for (const warning of sizes) session.note(`warning: ${warning}`);
  for (const line of previewLines(preview)) session.note(line);
  const shown = changed.map(({ name: of, differences }) => ({ name: of, differences }));
  session.result(
    { checked: documents.length, ...preview, changed: shown, warnings, ...report },
    `dry run: ${counts}, ${report.leftOut.length} left out; nothing written`,
  );
}

/** @returns whether it changed something */
async function writeImport(
  session: Session,
  { all, documents, report }: ReturnType<typeof prepareImport>,
  counts: string,
  warnings: readonly string[],
): Promise<boolean> {
  await session.environmentToChange(undefined, () =>
    session.note(`importing ${countedDocuments(documents.length)}: ${counts} …`),
  );
  const { id } = await session.environment();
  const written = await write(session, () => session.store.documents.import(id, all));
  const named = (those: readonly Document[]) => {
    const names = new Set(those.map(documentName));
    return written.filter((item) => names.has(formatName(item))).length;
  };
  const changed = named(documents);
  const sentAnew = written.length - named(all);
  // The undo of an import of deleted documents changes nothing.
  const undo = changed + sentAnew > 0 ? undoHint(session, written) : '';
  const unchanged = documents.length - changed;
  session.result(
    { written: changed, unchanged, sentAnew, warnings, ...report },
    `imported ${changed}, ${unchanged} unchanged, ${report.leftOut.length} left out (${session.where()})${undo}`,
  );
  return changed > 0;
}

/** Refuses an import that is incomplete or has warnings. @throws {CliError} that lists them */
function requireComplete(leftOut: readonly string[], older: readonly string[], others: readonly string[]): void {
  const warnings = [...older, ...others];
  const found = [
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
  ];
  if (found.length === 0) return;
  const advice = [
    ...(leftOut.length + others.length > 0 ? ['Correct the file, or import without --strict'] : []),
    ...(older.length > 0 ? [OLDER_ADVICE] : []),
  ];
  throw new CliError(`${found.join(', ')}; nothing was imported. ${advice.join('. ')}:`, [
    ...leftOut.map((line) => `left out: ${line}`),
    ...warnings.map((line) => `warning: ${line}`),
  ]);
}

/** How to undo an import. */
function undoHint({ typable }: Session, written: readonly StoredDocument[]): string {
  const last = written.at(-1);
  return last ? `; to take it back: ${typable(`undo ${formatTimestamp(last.updatedAt)}`)}` : '';
}
