import { withoutDeleted } from '../flags/deletion.ts';
import { byKind, type Document, documentName, formatName } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { InvalidInput } from '../flags/invalidInput.ts';
import type { Segment } from '../flags/segment.ts';
import { type CopyEnvironment, flagCopy, withKnownIds } from './copyFlags.ts';
import { type Change, changesOf } from './documentChanges.ts';

/** The difference between the flags of one key in two environments. */
export interface FlagComparison {
  readonly key: string;
  readonly state: 'only in source' | 'only in target' | 'different' | 'same';
  /** The changes that a copy from the source would make in the target, without segments. */
  readonly changes: readonly Change[];
  /** Why it cannot be copied. */
  readonly problem?: string;
}

/**
 * Compares the flags of two environments, ascending by key. Flags that are archived in both, or in the only one, are
 * left out.
 */
export function compareFlags(source: CopyEnvironment, target: CopyEnvironment): FlagComparison[] {
  const [sourceFlags, targetFlags] = [flagsByKey(source), flagsByKey(target)];
  const copy = flagCopy(source, target, () => '');
  const segmentName = segmentNames(source, target);
  const keys = [...new Set([...sourceFlags.keys(), ...targetFlags.keys()])].toSorted((a, b) => a.localeCompare(b));
  return keys.flatMap((key): FlagComparison[] => {
    const [from, to] = [sourceFlags.get(key), targetFlags.get(key)];
    if ((from?.isArchived ?? true) && (to?.isArchived ?? true)) return [];
    if (!from) return [{ key, state: 'only in target', changes: [] }];
    try {
      const before: Document | undefined = to && { kind: 'flag', document: to };
      const changes = changesOf(before, { kind: 'flag', document: copy.flag(key) }, segmentName);
      return [{ key, state: to ? (changes.length > 0 ? 'different' : 'same') : 'only in source', changes }];
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      return [{ key, state: to ? 'different' : 'only in source', changes: [], problem: error.message }];
    }
  });
}

function flagsByKey({ documents }: CopyEnvironment): Map<string, Flag> {
  return new Map(byKind(withoutDeleted(documents)).flags.map((flag) => [flag.key, flag]));
}

/** The display names of segments of either environment. */
export function segmentNames(source: CopyEnvironment, target: CopyEnvironment): (id: string) => string {
  const all = byKind([...source.documents, ...target.documents]).segments;
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? id;
}

/** A document of two environments. A side is undefined if that environment does not have it. */
export interface DocumentPair {
  /** As `documentName` writes it. */
  readonly name: string;
  readonly before: Document | undefined;
  readonly after: Document | undefined;
}

/** The documents of two environments, without deleted ones, in pairs by their keys and ids. */
export function pairDocuments(first: CopyEnvironment, second: CopyEnvironment): DocumentPair[] {
  const [before, after] = [documentsByName(first), documentsByName(second)];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.map((name) => ({ name, before: before.get(name), after: after.get(name) }));
}

/**
 * An environment with the ids that its documents have in another one: other ids are no difference. Flags are matched by
 * key, segments by id, else by name.
 */
export function asCopied(source: CopyEnvironment, target: CopyEnvironment): CopyEnvironment {
  const from = { ...source, documents: withoutDeleted(source.documents) };
  const to = { ...target, documents: withoutDeleted(target.documents) };
  return { ...from, documents: from.documents.map(copierOf(from, to)) };
}

/** The segments that differ between two environments, as {@link asCopied} matches them, ascending by name. */
export function compareSegments(source: CopyEnvironment, target: CopyEnvironment): FlagComparison[] {
  const segmentName = segmentNames(source, target);
  return pairDocuments(target, asCopied(source, target))
    .flatMap(({ before, after }): FlagComparison[] => {
      const segment = after ?? before;
      if (segment?.kind !== 'segment') return [];
      const key = segment.document.name;
      if (!after) return [{ key, state: 'only in target', changes: [] }];
      const changes = changesOf(before, after, segmentName);
      if (!before) return [{ key, state: 'only in source', changes }];
      return changes.length === 0 ? [] : [{ key, state: 'different', changes }];
    })
    .toSorted((one, other) => one.key.localeCompare(other.key));
}

function documentsByName({ documents }: CopyEnvironment): Map<string, Document> {
  return new Map(withoutDeleted(documents).map((document) => [documentName(document), document]));
}

function copierOf(source: CopyEnvironment, target: CopyEnvironment) {
  const copy = flagCopy(source, target, () => '', 'comparison');
  const present = documentsByName(target);
  const sourceIds = new Set(byKind(source.documents).segments.map(({ id }) => id));
  const unmatched = byKind(target.documents).segments.filter(({ id }) => !sourceIds.has(id));
  const counterpart = ({ id, name }: Segment): Segment | undefined => {
    const same = present.get(formatName({ kind: 'segment', id }));
    if (same?.kind === 'segment') return same.document;
    const found = unmatched.findIndex((each) => each.name === name);
    return found < 0 ? undefined : unmatched.splice(found, 1)[0];
  };
  return (document: Document): Document => {
    if (document.kind === 'segment') {
      const same = counterpart(document.document);
      if (!same) return document;
      const rules = withKnownIds(document.document.rules, same.rules);
      return { kind: 'segment', document: { ...document.document, id: same.id, rules } };
    }
    if (!present.has(documentName(document))) return document;
    try {
      return { kind: 'flag', document: copy.flag(document.document.key) };
    } catch (error) {
      // What is archived cannot be copied, and is compared as it is.
      if (error instanceof InvalidInput) return document;
      throw error;
    }
  };
}
