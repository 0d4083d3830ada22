import { differences } from '../../shared/describe/difference.ts';
import { neverMatches } from '../../shared/describe/neverMatches.ts';
import { problemOfExpressions } from '../../shared/evaluation/problemOfExpressions.ts';
import { problemOfEnd } from '../../shared/evaluation/references.ts';
import { changeAction } from '../../shared/flags/changeAction.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentId, documentName } from '../../shared/flags/document.ts';
import { requireFreeName } from '../../shared/flags/edits/segmentEdits.ts';
import { equalVariations, type Flag, type Variation } from '../../shared/flags/flag.ts';
import { InvalidInput } from '../../shared/flags/invalidInput.ts';
import { parseDocument } from '../../shared/flags/parseDocument.ts';
import type { Problem } from '../../shared/flags/problem.ts';
import type { Condition } from '../../shared/flags/rule.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import { parseTimestamp } from '../../shared/flags/timestamp.ts';
import { requireValueOfType } from '../../shared/flags/variationValue.ts';
import { contentOf, type StoredDocument } from '../../shared/store/documents/item.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import type { VersionedDocument, WriteResult } from '../api.ts';
import { batchText, editedFlag } from '../flagBatch.ts';
import type { ExpectedDocument } from '../schemas.ts';
import type { Handlers, OpenStore } from './consoleContext.ts';
import { versioned } from './environmentHandlers.ts';
import { invalidDocument, RequestError } from './failure.ts';

/** Handlers of requests that write flags and segments. */
export function documentHandlers(open: OpenStore, { documents: reader }: FlagStore) {
  return {
    'PUT environments/:env/document': async ({ env, body: { remark, ...expected } }) => {
      const { documents } = open(await commandOf(reader, env, expected), remark);
      return shown(await writeExpected(documents, env, expected));
    },
    'POST environments/:env/copy': async ({ env, body: { from, documents, remark } }) => {
      const wanted = documents.map((each) => ({ ...each, document: validated(each.document) }));
      const names = wanted.map(({ document }) => documentName(document));
      const twice = names.find((name, index) => names.indexOf(name) !== index);
      if (twice !== undefined) throw new RequestError('bad-request', `${twice} is named twice; nothing was written`);
      const { documents: stored } = open(`copied from “${from}”`, remark);
      const written = stored.writeAll(env, (all) => {
        const present = withoutDeleted(all);
        const before = new Map(present.map((each) => [documentName(each), each]));
        for (const { document, expectedVersion } of wanted) {
          const earlier = before.get(documentName(document));
          // Equal documents were written by an earlier transaction of this copy.
          if (earlier && differences(earlier.document, document.document).length === 0) continue;
          requireExpected(document, earlier?.document, expectedVersion);
          if (document.kind === 'segment') {
            requireFree(document.document, earlier?.document as Segment | undefined, present);
          }
        }
        return wanted.map(({ document }) => document);
      });
      return shown(await written);
    },
    'PATCH environments/:env/flags': async ({ env, body: { edit, flags, remark } }) => {
      const expected = new Map(flags.map(({ key, expectedVersion }) => [key, expectedVersion]));
      let conflicts: string[] = [];
      const { documents } = open(batchText(edit, flags.length), remark);
      const written = await documents.writeAll(env, (all) => {
        const stored = new Map(byKind(withoutDeleted(all)).flags.map((flag) => [flag.key, flag]));
        const isExpected = ([key, version]: readonly [string, number]) => {
          const flag = stored.get(key);
          return flag !== undefined && versionedOf('flag', flag).version === version;
        };
        conflicts = [...expected].filter((each) => !isExpected(each)).map(([key]) => key);
        return [...expected.keys()].flatMap((key): Document[] => {
          const flag = stored.get(key);
          return flag && !conflicts.includes(key) ? [{ kind: 'flag', document: editedFlag(flag, edit) }] : [];
        });
      });
      // If there was another write between two transactions, written flags already have new versions.
      const ids = new Set(written.map(({ id }) => id));
      return { ...shown(written), conflicts: conflicts.filter((key) => !ids.has(key)) };
    },
  } satisfies Partial<Handlers>;
}

/** The command of a write in the history. */
export async function commandOf(
  reader: FlagStore['documents'],
  env: string,
  { document, expectedVersion }: ExpectedDocument,
): Promise<string> {
  const wanted = validated(document);
  const id = documentId(wanted);
  // If there is another write in between, the version differs and nothing is written.
  const before = expectedVersion === null ? undefined : await reader.find(env, wanted.kind, id);
  return `${changeAction(contentOf(before), wanted.document)} ${wanted.kind} ${id}`;
}

/** Writes one flag or segment, or plans it. @throws {RequestError} if the stored version differs */
export function writeExpected(
  documents: FlagStore['documents'],
  env: string,
  { document, expectedVersion }: ExpectedDocument,
): Promise<StoredDocument[]> {
  const wanted = validated(document);
  const id = documentId(wanted);
  return wanted.kind === 'flag'
    ? documents.writeFlag(env, id, (stored) => {
        requireExpected(wanted, stored, expectedVersion);
        requireValues(wanted.document, stored);
        requireConditions(wanted, stored && { kind: 'flag', document: stored });
        return wanted.document;
      })
    : documents.writeSegment(env, id, (stored, all) => {
        requireExpected(wanted, stored, expectedVersion);
        requireFree(wanted.document, stored, all);
        requireConditions(wanted, stored && { kind: 'segment', document: stored });
        return wanted.document;
      });
}

/** @throws {RequestError} with the problems of a document */
function validated({ kind, document }: Document): Document {
  const result = parseDocument(kind, document);
  if (!result.ok) throw invalidDocument(result.problems);
  return result.value;
}

/** @throws {RequestError} with the stored document if its version differs */
function requireExpected(wanted: Document, stored: Flag | Segment | undefined, expectedVersion: number | null): void {
  const current = stored && versionedOf(wanted.kind, stored);
  if ((current?.version ?? null) === expectedVersion) return;
  const what = current ? 'was changed by someone else in the meantime' : 'does not exist (any more)';
  throw new RequestError('edit-conflict', `${documentName(wanted)} ${what}; nothing was written`, {
    current: current ?? null,
  });
}

function versionedOf(kind: Document['kind'], document: Flag | Segment): VersionedDocument {
  return { kind, document, version: parseTimestamp(document.updatedAt) ?? 0 } as VersionedDocument;
}

/** The result of a write. */
export function shown(written: readonly StoredDocument[]): WriteResult {
  return { documents: written.flatMap((stored) => versioned(stored) ?? []) };
}

/**
 * Refuses new values of another type than the flag's, and an edit that makes variations equal. Stored ones are allowed, also in
 * a duplicate.
 */
function requireValues(flag: Flag, stored: Flag | undefined): void {
  const { variationType, variations } = flag;
  const text = ({ id, value }: Variation) => JSON.stringify([id, value]);
  const before = new Set(stored?.variationType === variationType ? stored.variations.map(text) : []);
  const problems = variations.flatMap((variation, index) =>
    before.has(text(variation))
      ? []
      : problemsOf(`variations[${index}].value`, () => requireValueOfType(variationType, variation.value)),
  );
  const known = new Set(equalVariations(stored ?? flag));
  const equal = equalVariations(flag).find((message) => !known.has(message));
  if (equal !== undefined) problems.push({ path: 'variations', message: equal, severity: 'error' });
  if (problems.length > 0) throw invalidDocument(problems);
}

/** Refuses new conditions that never match or name no attribute. Stored ones are allowed. */
function requireConditions(wanted: Document, stored: Document | undefined): void {
  // Before any is compiled, which takes long.
  const message = problemOfExpressions(wanted, stored);
  if (message !== undefined) throw invalidDocument([{ path: 'rules', message, severity: 'error' }]);
  const text = ({ property, op, value }: Condition) => JSON.stringify([property, op, value]);
  const before = new Set(stored?.document.rules.flatMap(({ conditions }) => conditions.map(text)));
  const problems = wanted.document.rules.flatMap(({ conditions }, rule) =>
    conditions.flatMap((condition, index): Problem[] => {
      const path = `rules[${rule}].conditions[${index}]`;
      if (before.has(text(condition))) return [];
      if (condition.property === '') return [{ path, message: 'must name an attribute', severity: 'error' }];
      const reason = neverMatches(condition);
      return reason === undefined ? [] : [{ path, message: `would never match: ${reason}`, severity: 'error' }];
    }),
  );
  if (problems.length > 0) throw invalidDocument(problems);
}

/** Refuses a duplicate segment name, and the removal of a segment that flags use, like the command line. */
function requireFree(segment: Segment, stored: Segment | undefined, all: readonly Document[]): void {
  const { segments } = byKind(all);
  const { id, name, isArchived, isDeleted = false } = segment;
  const problems = name === stored?.name ? [] : problemsOf('name', () => requireFreeName(segments, id, name));
  const isEnded = isDeleted || (isArchived && !stored?.isArchived);
  const message = isEnded ? problemOfEnd(id, isDeleted ? 'deleted' : 'archived', all) : undefined;
  if (message) problems.push({ path: isDeleted ? 'isDeleted' : 'isArchived', message, severity: 'error' });
  if (problems.length > 0) throw invalidDocument(problems);
}

function problemsOf(path: string, check: () => void): Problem[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return [{ path, message: error.message, severity: 'error' }];
  }
}
