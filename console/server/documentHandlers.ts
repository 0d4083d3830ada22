import { flagsReferringTo } from '../../shared/evaluation/references.ts';
import { byKind, type Document, documentId } from '../../shared/flags/document.ts';
import { type Flag, parseFlag } from '../../shared/flags/flag.ts';
import { InvalidInput } from '../../shared/flags/invalidInput.ts';
import type { Problem } from '../../shared/flags/problem.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import { requireFreeName } from '../../shared/flags/segmentEdits.ts';
import { formatTimestamp, parseTimestamp } from '../../shared/flags/timestamp.ts';
import { requireValueOfType } from '../../shared/flags/variationValue.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import type { VersionedDocument, WriteResult } from '../api.ts';
import type { Handlers, OpenStore } from './consoleContext.ts';
import { versioned } from './environmentHandlers.ts';
import { invalidDocument, RequestError } from './requestError.ts';

type Own = 'PUT environments/:env/document' | 'POST environments/:env/undo';

export function documentHandlers(open: OpenStore): Pick<Handlers, Own> {
  return {
    'PUT environments/:env/document': async ({ env, body: { document, expectedVersion, remark } }) => {
      const { kind } = document;
      const result = kind === 'flag' ? parseFlag(document.document) : parseSegment(document.document);
      if (!result.ok) throw invalidDocument(result.problems);
      const wanted = { kind, document: result.value } as Document;
      const id = documentId(wanted);
      const { documents } = open(`edit ${kind} ${id}`, remark);
      const requireExpected = (stored: Flag | Segment | undefined) => {
        const current = stored && versionedOf(kind, stored);
        if ((current?.version ?? null) === expectedVersion) return;
        const what = current ? 'was changed by somebody else meanwhile' : 'is not there (any more)';
        const message = `${kind} "${id}" ${what}; nothing was written`;
        throw new RequestError('edit-conflict', message, { current: current ?? null });
      };
      const written =
        wanted.kind === 'flag'
          ? documents.writeFlag(env, id, (stored) => {
              requireExpected(stored);
              requireValues(wanted.document, stored);
              return wanted.document;
            })
          : documents.writeSegment(env, id, (stored, all) => {
              requireExpected(stored);
              requireFree(wanted.document, stored, all);
              return wanted.document;
            });
      return shown(await written);
    },
    'POST environments/:env/undo': async ({ env, body: { version, remark } }) =>
      shown(await open(`undo ${formatTimestamp(version)}`, remark).history.undo(env, version)),
  };
}

function versionedOf(kind: Document['kind'], document: Flag | Segment): VersionedDocument {
  return { kind, document, version: parseTimestamp(document.updatedAt) ?? 0 } as VersionedDocument;
}

function shown(written: readonly StoredDocument[]): WriteResult {
  return { documents: written.flatMap((stored) => versioned(stored) ?? []) };
}

/** A value that is not of the flag’s type stays where it was before. */
function requireValues({ variationType, variations }: Flag, stored: Flag | undefined): void {
  const before = stored?.variationType === variationType ? stored.variations : [];
  const problems = variations.flatMap(({ id, value }, index) =>
    before.some((variation) => variation.id === id && variation.value === value)
      ? []
      : problemsOf(`variations[${index}].value`, () => requireValueOfType(variationType, value)),
  );
  if (problems.length > 0) throw invalidDocument(problems);
}

/** As the command line refuses: two segments of one name, and the end of one that flags refer to. */
function requireFree(segment: Segment, stored: Segment | undefined, all: readonly Document[]): void {
  const { segments } = byKind(all);
  const { id, name, isArchived } = segment;
  const problems = name === stored?.name ? [] : problemsOf('name', () => requireFreeName(segments, id, name));
  const users = isArchived && !stored?.isArchived ? flagsReferringTo(id, all) : [];
  if (users.length > 0) {
    const message = `cannot be archived: these flags refer to it: ${users.join(', ')}`;
    problems.push({ path: 'isArchived', message, severity: 'error' });
  }
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
