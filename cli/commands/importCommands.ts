import { type Command, Option } from 'commander';
import { userPath } from '../../shared/command/userPath.ts';
import { segmentNames } from '../../shared/describe/compareFlags.ts';
import { type Document, documentName, documentTitle, formatName } from '../../shared/flags/document.ts';
import { requireDocument } from '../../shared/store/documents/item.ts';
import { undoHint } from '../changes.ts';
import type { CommandMaker } from '../command.ts';
import { type ConfirmOptions, textOption } from '../confirmProduction.ts';
import { duplicatesIn, readImportFile } from '../import/importFile.ts';
import { documentsToArchive, prepareImport, previewLines } from '../import/importPreview.ts';
import { SERVICES } from '../import/services.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, countedDocuments } from '../text.ts';
import { noteSdkDifferences, sizeWarnings, write } from '../write.ts';
import { reportDifferences } from './compareCommands.ts';
import { noteTranslation } from './exportCommand.ts';
import { confirmOverwrite, noteOtherChanges } from './otherChanges.ts';

interface ImportOptions extends ConfirmOptions {
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
    'import <files...>',
    'import flags and segments from FeatBit or another service. Those with the same key or id are replaced. Others stay unchanged',
    importFiles,
    [
      new Option(
        '--from <service>',
        'service that wrote the files. If omitted, the command detects the service from the content. The output lists what is left out or differs',
      ).choices(Object.keys(SERVICES)),
      new Option('--source-env <name>', 'environment to import, if a file has several'),
      new Option('--dry-run', 'show what would change, and write nothing'),
      new Option('--strict', 'write nothing and exit with 1 if something is left out or there is a warning'),
      new Option('--prune', 'archive the flags and segments that the files lack. Segments in use stay'),
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
  files: readonly string[],
  { from, sourceEnv, dryRun, strict, prune = false, exitCode, ...options }: ImportOptions,
): Promise<void> {
  if (exitCode && !dryRun) throw new UsageError('--exit-code needs --dry-run');
  if (options.commit?.trim() === '') throw new UsageError('--commit needs a text');
  const readings = files.map((file) => readImportFile(userPath(file), from, sourceEnv));
  if (from === undefined)
    session.note(`read as --from ${[...new Set(readings.map((each) => each.from))].join(' and ')}, by its content`);
  const errors = readings.flatMap((reading) => reading.errors);
  if (errors.length === 0 && files.length > 1) {
    const all = readings.flatMap((reading) => reading.documents);
    errors.push(...duplicatesIn(files.join(' and '), all));
  }
  if (errors.length > 0) {
    throw new CliError(`${counted(errors.length, 'error')}; nothing was imported:`, errors);
  }
  const { id, name } = await session.environment();
  const prepared = prepareImport((await session.store.documents.load(id)).map(requireDocument), readings);
  const { stored, documents, preview, warnings, report } = prepared;
  const sizes = sizeWarnings(name, stored, documents);
  if (strict) requireComplete(report.leftOut, [...warnings, ...sizes], '--strict');
  if (prune && documents.length === 0) throw new CliError('the file has no flags; nothing was archived');
  // What is left out is not lacking in the file.
  if (prune || exitCode) requireComplete(report.leftOut, [], '--prune and --exit-code');
  const archived = prune ? documentsToArchive(stored, documents) : [];
  noteTranslation(session, report);
  for (const warning of warnings) session.note(`warning: ${warning}`);
  const { created, changed, unchanged } = preview;
  const pruned = prune ? `, ${archived.length} archived` : '';
  const counts = `${created.length} new, ${changed.length} changed, ${unchanged} unchanged${pruned}`;
  const written = [...created, ...changed.map((each) => each.name), ...archived.map(documentName)];
  const otherChanges = options.commit === undefined ? 0 : await noteOtherChanges(session, new Set(written));
  if (!dryRun) {
    await confirmOverwrite(session, otherChanges, options);
    const isChanged = await writeImport(session, { ...prepared, archived }, counts);
    if (isChanged && readings.some((each) => SERVICES[each.from]?.read))
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
    const label = files.join(' and ');
    const [before, after] = [
      { name, documents: compared },
      { name: label, documents },
    ];
    return reportDifferences(session, before, after, segmentNames(before, after), true);
  }
  for (const line of previewLines(preview, archived)) session.note(line);
  session.result(
    {
      checked: documents.length,
      ...preview,
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
  prepared: ReturnType<typeof prepareImport> & { readonly archived: readonly Document[] },
  counts: string,
): Promise<boolean> {
  const { all, documents, archived, warnings, report } = prepared;
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

/** Refuses an import that is incomplete or has warnings. @param options that require it @throws {CliError} that lists them */
function requireComplete(leftOut: readonly string[], warnings: readonly string[], options: string): void {
  const found = [
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
  ];
  if (found.length === 0) return;
  const advice = `Correct the file, or import without ${options}`;
  throw new CliError(`${found.join(', ')}; nothing was imported. ${advice}:`, [
    ...leftOut.map((line) => `left out: ${line}`),
    ...warnings.map((line) => `warning: ${line}`),
  ]);
}
