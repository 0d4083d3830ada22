import { differences, formatDifference } from '../../shared/describe/difference.ts';
import { changesOf, changeText } from '../../shared/describe/documentChanges.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentName } from '../../shared/flags/document.ts';
import { parseTimestamp } from '../../shared/flags/timestamp.ts';

/** Maximum number of lines of a preview. */
const SHOWN_LINES = 200;

/** A change of a document: the stored fields for programs, and words for people. */
interface ChangedDocument {
  readonly name: string;
  readonly differences: readonly string[];
  readonly lines: readonly string[];
}

/** The effect of an import on an environment. */
interface ImportPreview {
  readonly created: readonly string[];
  readonly changed: readonly ChangedDocument[];
  readonly unchanged: number;
  /** Of the changed documents, those that are older than the stored ones. */
  readonly older: readonly string[];
}

/**
 * Describes the effect of an import in advance.
 *
 * @param stored including deleted documents, whose names are used
 * @param imported the same of the file
 */
export function previewImport(stored: readonly Document[], imported: readonly Document[]): ImportPreview {
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
    const found = differences(earlier.document, later.document).map(formatDifference);
    if (found.length === 0) return [];
    const lines = changesOf(earlier, later, segmentName).map((change) => changeText(change));
    return [{ name, differences: found, lines, isOlder: timeOf(later) < timeOf(earlier) }];
  });
  return {
    created,
    changed: changed.map(({ isOlder, ...change }) => change),
    unchanged: compared.length - changed.length,
    older: changed.filter(({ isOlder }) => isOlder).map(({ name }) => name),
  };
}

/** A preview as lines. A long one is truncated. */
export function previewLines({ created, changed }: ImportPreview): string[] {
  const lines = [
    ...created.map((name) => `would create ${name}`),
    ...changed.flatMap((change) => change.lines.map((line) => `would change ${change.name} ${line}`)),
  ];
  const rest = lines.length - SHOWN_LINES;
  return rest > 0 ? [...lines.slice(0, SHOWN_LINES), `and ${rest} more`] : lines;
}

function timeOf({ document: { updatedAt } }: Document): number {
  return parseTimestamp(updatedAt) ?? 0;
}
