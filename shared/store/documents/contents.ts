import type { InvalidCondition } from '../../evaluation/invalidCondition.ts';
import type { Flag } from '../../flags/flag.ts';
import { formatProblem } from '../../flags/problem.ts';
import type { Segment } from '../../flags/segment.ts';
import { decodeDocument, documentBytes, type StoredDocument } from './item.ts';

/** The contents of an environment: flags by key, segments by id, and unreadable documents, each with its version. */
export interface Contents {
  readonly flags: ReadonlyMap<string, Flag>;
  readonly segments: ReadonlyMap<string, Segment>;
  /** By kind and id. */
  readonly unreadable: ReadonlyMap<string, { readonly updatedAt: number; readonly why: InvalidCondition }>;
  /** Bytes of each document as JSON, by kind and id. */
  readonly sizes: ReadonlyMap<string, number>;
}

const NOTHING: Contents = { flags: new Map(), segments: new Map(), unreadable: new Map(), sizes: new Map() };

/**
 * An environment's contents after documents were written to it.
 *
 * @param before the previous contents; if omitted, the documents are all there is
 */
export function contentsAfter(written: readonly StoredDocument[], before: Contents = NOTHING): Contents {
  const flags = new Map(before.flags);
  const segments = new Map(before.segments);
  const unreadable = new Map(before.unreadable);
  const sizes = new Map(before.sizes);
  for (const stored of written) {
    const { kind, id, updatedAt } = stored;
    const name = `${kind}#${id}`;
    sizes.set(name, documentBytes(stored));
    const readable = kind === 'flag' ? flags : segments;
    const result = decodeDocument(stored);
    if (result.ok) {
      readable.set(id, result.value.document as Flag & Segment);
      unreadable.delete(name);
    } else {
      readable.delete(id);
      const message = `cannot be read: ${result.problems.map(formatProblem).join('; ')}`;
      unreadable.set(name, { updatedAt, why: { kind, id, path: '', message } });
    }
  }
  return { flags, segments, unreadable, sizes };
}

/** Why documents are newly unreadable, or unreadable for another reason than before. */
export function newlyUnreadable(now: Contents, before: Contents = NOTHING): InvalidCondition[] {
  return [...now.unreadable].flatMap(([name, { updatedAt, why }]) =>
    before.unreadable.get(name)?.updatedAt === updatedAt ? [] : [why],
  );
}
