import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { segmentNames } from '../../shared/describe/compareFlags.ts';
import { type Document, documentName, documentTitle, formatName } from '../../shared/flags/document.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { undoHint } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { type ConfirmOptions, textOption } from '../confirmProduction.ts';
import { readForeignFile, readImportFile } from '../import/importFile.ts';
import { documentsToArchive, prepareImport, previewLines } from '../import/importPreview.ts';
import { SERVICES } from '../import/services.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, countedDocuments } from '../text.ts';
import { noteSdkDifferences, sizeWarnings, write } from '../write.ts';
import { reportDifferences } from './compareCommands.ts';
import { noteTranslation } from './exportCommand.ts';
import { confirmOverwrite, noteOtherChanges } from './otherChanges.ts';

const OLDER_ADVICE =
  'To keep the stored flags and segments, remove the older ones from the file. To replace them, import without --strict';

interface ImportOptions extends ConfirmOptions {
  readonly flags?: string;
  readonly segments?: string;
  readonly from?: string;
  readonly sourceEnv?: string;
  readonly dryRun?: boolean;
  readonly strict?: boolean;
  readonly prune?: boolean;
  readonly exitCode?: boolean;
}

/** `import`. */
export function addImportCommand(program: Command, commands: CommandMaker): void {
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
      new Option('--prune', 'archive the flags and segments that the file lacks. Segments in use stay'),
      new Option(
        '--exit-code',
        'with --dry-run: show differences as env diff does. Exit with 0 if there is none, 1 if there are, 2 if it could not compare',
      ),
      textOption('--commit <text>', 'commit of the file, for the history'),
    ],
  );
}

async function importFiles(
  session: Session,
  [file]: readonly string[],
  { flags, segments, from, sourceEnv, dryRun, strict, prune = false, exitCode, ...options }: ImportOptions,
): Promise<void> {
  if (exitCode && !dryRun) throw new UsageError('--exit-code needs --dry-run');
  if (options.commit?.trim() === '') throw new UsageError('--commit needs a text');
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
  const { stored, documents, preview, others, report } = prepared;
  // Of files in Git, the commits say which is newer.
  const older = options.commit === undefined && !exitCode ? prepared.older : [];
  const sizes = sizeWarnings(name, stored, documents);
  if (strict) requireComplete(report.leftOut, older, [...others, ...sizes]);
  if (prune && documents.length === 0) throw new CliError('the file has no flags; nothing was archived');
  if (prune || exitCode) requireWhole(report.leftOut);
  const archived = prune ? documentsToArchive(stored, documents) : [];
  noteTranslation(session, report);
  const warnings = [...older, ...others];
  for (const warning of warnings) session.note(`warning: ${warning}`);
  const { created, changed, unchanged } = preview;
  const pruned = prune ? `, ${archived.length} archived` : '';
  const counts = `${created.length} new, ${changed.length} changed, ${unchanged} unchanged${pruned}`;
  const written = [...created, ...changed.map((each) => each.name), ...archived.map(documentName)];
  const otherChanges = options.commit === undefined ? 0 : await noteOtherChanges(session, new Set(written));
  if (!dryRun) {
    await confirmOverwrite(session, otherChanges, options);
    const isChanged = await writeImport(session, { ...prepared, archived }, counts, warnings);
    if (foreign && isChanged)
      session.note(
        `next: compare values of some users with the old service: ${session.typable('evaluate --user <key>')}`,
      );
    return;
  }
  noteSdkDifferences(session, stored, documents);
  for (const warning of sizes) session.note(`warning: ${warning}`);
  if (exitCode) {
    const names = new Set([...documents, ...archived].map(documentName));
    const compared = prune ? stored.filter((each) => names.has(documentName(each))) : stored;
    const label = [file, flags, segments].filter((each) => each !== undefined).join(' and ');
    const [before, after] = [
      { name, documents: compared },
      { name: label, documents },
    ];
    return reportDifferences(session, before, after, segmentNames(before, after), true);
  }
  for (const line of previewLines(preview, archived)) session.note(line);
  const shown = changed.map(({ name: of, differences }) => ({ name: of, differences }));
  session.result(
    {
      checked: documents.length,
      ...preview,
      changed: shown,
      archived: archived.map(documentName),
      warnings,
      ...report,
    },
    `dry run: ${counts}, ${report.leftOut.length} left out; nothing written`,
  );
}

/** @returns whether it changed something */
async function writeImport(
  session: Session,
  { all, documents, archived, report }: ReturnType<typeof prepareImport> & { readonly archived: readonly Document[] },
  counts: string,
  warnings: readonly string[],
): Promise<boolean> {
  await session.environmentToChange(undefined, () => {
    for (const each of archived) session.note(`archives ${documentTitle(each)}`);
    session.note(`importing ${countedDocuments(documents.length)}: ${counts} …`);
  });
  const { id } = await session.environment();
  const written = await write(session, () =>
    session.store.documents.import(id, all, new Set(archived.map(documentName))),
  );
  const named = (those: readonly Document[]) => {
    const names = new Set(those.map(documentName));
    return written.filter((item) => names.has(formatName(item))).length;
  };
  const [changed, pruned] = [named(documents), named(archived)];
  const sentAnew = written.length - named([...all, ...archived]);
  // The undo of an import of deleted documents changes nothing.
  const undo = changed + pruned + sentAnew > 0 ? `; to take it back: ${undoHint(session, written)}` : '';
  const unchanged = documents.length - changed;
  session.result(
    { written: changed, unchanged, archived: pruned, sentAnew, warnings, ...report },
    `✓ imported ${changed}, ${unchanged} unchanged, ${pruned > 0 ? `${pruned} archived, ` : ''}${report.leftOut.length} left out${session.where(written.at(-1)?.updatedAt)}${undo}`,
  );
  return changed > 0;
}

/** What is left out is not lacking in the file. @throws {CliError} that lists it */
function requireWhole(leftOut: readonly string[]): void {
  if (leftOut.length === 0) return;
  const advice = 'Correct the file, or import without --prune and --exit-code';
  throw new CliError(`${leftOut.length} left out; nothing was compared or imported. ${advice}:`, leftOut);
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
