import { changesOf, changeText } from '../../shared/describe/documentChanges.ts';
import { deletedSegmentsInUse, flagsReferringTo } from '../../shared/evaluation/references.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentName, documentTitle } from '../../shared/flags/document.ts';
import { cleanedText, withCleanUserKeys } from '../../shared/flags/userKeys.ts';
import { requireAllWritable } from '../../shared/store/documents/writable.ts';
import { type ImportReading, invalidConditionsIn, invalidValuesIn, withoutUnacceptable } from './importFile.ts';

/** Maximum number of lines of a preview. */
const SHOWN_LINES = 200;

/**
 * What an import would create and change.
 *
 * @param stored including deleted documents, whose names are used
 * @param imported the same of the file
 */
export function previewImport(stored: readonly Document[], imported: readonly Document[]) {
  const before = new Map(withoutDeleted(stored).map((document) => [documentName(document), document]));
  const wanted = withoutDeleted(imported);
  const names = new Map(byKind([...stored, ...imported]).segments.map(({ id, name }) => [id, name]));
  const segmentName = (id: string) => names.get(id) ?? id;
  const created = wanted.map(documentName).filter((name) => !before.has(name));
  const compared = wanted.flatMap((document) => {
    const name = documentName(document);
    const earlier = before.get(name);
    return earlier ? [{ name, earlier, later: document }] : [];
  });
  const changed = compared.flatMap(({ name, earlier, later }) => {
    const differences = changesOf(earlier, later, segmentName).map((change) => changeText(change));
    return differences.length === 0 ? [] : [{ name, differences }];
  });
  return { created, changed, unchanged: compared.length - changed.length };
}

/**
 * The documents of files as an environment accepts them, and what an import of them would change.
 *
 * @param storedAll the documents of the environment, including deleted ones
 * @param readings of files without errors
 */
export function prepareImport(storedAll: readonly Document[], readings: readonly ImportReading[]) {
  const { documents: accepted, leftOut: unacceptable } = withoutUnacceptable(
    readings.flatMap((reading) => reading.documents),
  );
  const before = new Map(storedAll.map((each) => [documentName(each), each]));
  const all = accepted.map((each) => withCleanUserKeys(each, before.get(documentName(each))));
  const cleaned = accepted.flatMap((each, index) => {
    const text = cleanedText(each, all[index] ?? each);
    return text === undefined ? [] : `${documentName(each)}: ${text}`;
  });
  const documents = withoutDeleted(all);
  requireAllWritable(storedAll, all);
  return {
    all,
    documents,
    stored: withoutDeleted(storedAll),
    preview: previewImport(storedAll, all),
    warnings: [
      ...readings.flatMap((reading) => reading.warnings),
      ...invalidValuesIn(documents),
      ...invalidConditionsIn(merge(storedAll, all)),
    ],
    report: {
      leftOut: [...readings.flatMap((reading) => reading.leftOut), ...unacceptable],
      differences: [...readings.flatMap((reading) => reading.differences), ...cleaned],
    },
  };
}

/**
 * The documents that an import with `--prune` archives: those that the file lacks, except segments that its flags refer to.
 *
 * @param stored documents that are not deleted
 * @param wanted the same of the file
 */
export function documentsToArchive(stored: readonly Document[], wanted: readonly Document[]): Document[] {
  const names = new Set(wanted.map(documentName));
  return stored.filter((each) => {
    if (each.document.isArchived || names.has(documentName(each))) return false;
    return each.kind === 'flag' || flagsReferringTo(each.document.id, wanted).length === 0;
  });
}

/** The documents of an environment after an import, and the deleted segments by which flags still match. */
function merge(stored: readonly Document[], wanted: readonly Document[]): Document[] {
  const taken = new Set(stored.map(documentName));
  const imported = wanted.filter((document) => !document.document.isDeleted || !taken.has(documentName(document)));
  const after = [...new Map([...stored, ...imported].map((document) => [documentName(document), document])).values()];
  const deleted = deletedSegmentsInUse(after).map((document): Document => ({ kind: 'segment', document }));
  return [...withoutDeleted(after), ...deleted];
}

/** A preview as lines. A long one is truncated. @param archived documents that are archived too */
export function previewLines(
  { created, changed }: ReturnType<typeof previewImport>,
  archived: readonly Document[] = [],
): string[] {
  const lines = [
    ...created.map((name) => `would create ${name}`),
    ...changed.flatMap((change) => change.differences.map((text) => `would change ${change.name} ${text}`)),
    ...archived.map((each) => `would archive ${documentTitle(each)}`),
  ];
  const rest = lines.length - SHOWN_LINES;
  return rest > 0 ? [...lines.slice(0, SHOWN_LINES), `and ${rest} more`] : lines;
}
