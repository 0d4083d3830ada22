import { segmentIdsOf } from '../evaluation/condition.ts';
import { deletionText, withoutDeleted } from '../flags/deletion.ts';
import { byKind, type Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { InvalidInput } from '../flags/invalidInput.ts';
import type { Condition, Rollout } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';

/** An environment to copy flags from or to. */
export interface CopyEnvironment {
  readonly name: string;
  /** All of its documents, including deleted ones. */
  readonly documents: readonly Document[];
}

/** What a copy writes of a flag. With `targeting`, a flag in the target stays on or off, and a new one is off. */
export type CopiedParts = 'targeting' | 'targeting and state';

/**
 * The writes after which flags in an environment have the same settings as in another one.
 *
 * @param keys of the flags
 * @param uuid creates ids for new documents in the target
 * @returns segments that are missing in the target, then the flags, including unchanged ones
 * @throws {InvalidInput} if a flag is missing in the source, or a flag or segment is archived on either side, or a flag
 *   refers to a deleted segment, or to one whose name several segments of the target have
 */
export function copyFlags(
  keys: readonly string[],
  source: CopyEnvironment,
  target: CopyEnvironment,
  uuid: () => string,
  parts: CopiedParts,
): Document[] {
  const copy = flagCopy(source, target, uuid);
  const before = new Map(byKind(withoutDeleted(target.documents)).flags.map((flag) => [flag.key, flag.isEnabled]));
  const flags = [...new Set(keys)].map((key): Document => {
    const flag = copy.flag(key);
    const isEnabled = parts === 'targeting' ? (before.get(key) ?? false) : flag.isEnabled;
    return { kind: 'flag', document: { ...flag, isEnabled } };
  });
  return [...copy.missingSegments().map((document): Document => ({ kind: 'segment', document })), ...flags];
}

/**
 * Builds the target's flags from the source's. Ids of flags stay those of the target. So do ids of variations, rules
 * and conditions that exist in both. A segment is matched by name, else by id.
 *
 * @param purpose a comparison takes the first of several segments with one name, which a copy refuses
 */
export function flagCopy(
  source: CopyEnvironment,
  target: CopyEnvironment,
  uuid: () => string,
  purpose: 'copy' | 'comparison' = 'copy',
) {
  const [all, present] = [byKind(source.documents), byKind(withoutDeleted(target.documents))];
  const sourceFlags = new Map(all.flags.map((flag) => [flag.key, flag]));
  const sourceSegments = new Map(all.segments.map((segment) => [segment.id, segment]));
  const targetFlags = new Map(present.flags.map((flag) => [flag.key, flag]));
  const missing = new Map<string, Segment>();
  return {
    /** Segments that are missing in the target, as they must be created there. */
    missingSegments: () => [...missing.values()],
    /** A flag as it must be in the target. @throws {InvalidInput} as {@link copyFlags} */
    flag(key: string): Flag {
      const from = sourceFlags.get(key);
      if (!from) throw new InvalidInput(`there is no flag "${key}" in "${source.name}"`);
      if (from.isDeleted) throw new InvalidInput(deletionText(`flag "${key}" of "${source.name}"`, from));
      if (from.isArchived) throw archived(`flag "${key}"`, source);
      const to = targetFlags.get(key) ?? { ...from, id: uuid() };
      if (to.isArchived) throw archived(`flag "${key}"`, target);
      return withSettings(from, to, (id) => segmentId(id, key));
    },
  };

  /** An id that is unknown in the source stays. */
  function segmentId(id: string, flagKey: string): string {
    const segment = sourceSegments.get(id);
    if (!segment) return id;
    if (segment.isDeleted) throw refersToDeleted(flagKey, segment, source);
    const named = present.segments.filter(({ name }) => name === segment.name);
    const sameId = (each: Segment) => each.id === id;
    const [only, ...others] = named;
    const isAmbiguous = others.length > 0 && !named.some(sameId);
    if (isAmbiguous && purpose === 'copy') throw severalNamed(segment.name, named, target);
    const found = named.find(sameId) ?? only ?? present.segments.find(sameId);
    if (found?.isArchived) throw archived(`segment "${found.name}"`, target);
    if (found) return found.id;
    // A deleted segment may have the id.
    const isFree = !byKind(target.documents).segments.some(sameId);
    const added = missing.get(id) ?? { ...segment, id: isFree ? id : uuid(), isArchived: false };
    missing.set(id, added);
    return added.id;
  }
}

/** Nothing in the target is known to be the same: another segment may have the name of a deleted one. */
function refersToDeleted(flagKey: string, segment: Segment, { name }: CopyEnvironment): InvalidInput {
  const deletion = deletionText(`segment "${segment.name}" of "${name}"`, segment);
  return new InvalidInput(
    `flag "${flagKey}" refers to a deleted segment: ${deletion}. Restore it first, or remove the segment from the rules of the flag`,
  );
}

function severalNamed(segment: string, named: readonly Segment[], { name }: CopyEnvironment): InvalidInput {
  const ids = named.map(({ id }) => id).join(', ');
  return new InvalidInput(`several segments of "${name}" are named "${segment}": ${ids}; rename all but one`);
}

function archived(what: string, { name }: CopyEnvironment): InvalidInput {
  return new InvalidInput(`${what} is archived in "${name}"; restore it first`);
}

/** The settings of one flag in the document of another. */
function withSettings(source: Flag, target: Flag, segmentId: (id: string) => string): Flag {
  const { id, envId, updatedAt, ...settings } = source;
  const variationId = counterparts(source.variations, target.variations, ({ value }) => value);
  const shares = ({ variations }: Rollout) => variations.map((each) => ({ ...each, id: variationId(each.id) }));
  return {
    ...target,
    ...settings,
    variations: source.variations.map((each) => ({ ...each, id: variationId(each.id) })),
    targetUsers: source.targetUsers.map((each) => ({ ...each, variationId: variationId(each.variationId) })),
    rules: withKnownIds(
      source.rules.map((rule) => ({
        ...rule,
        conditions: rule.conditions.map((condition) => withSegments(condition, segmentId)),
        variations: shares(rule),
      })),
      target.rules,
    ),
    fallthrough: { ...source.fallthrough, variations: shares(source.fallthrough) },
    disabledVariationId: variationId(source.disabledVariationId),
  };
}

function withSegments(condition: Condition, segmentId: (id: string) => string): Condition {
  const ids = segmentIdsOf(condition);
  const mapped = ids.map(segmentId);
  return mapped.every((id, index) => id === ids[index]) ? condition : { ...condition, value: JSON.stringify(mapped) };
}

type NamedRule = Pick<Flag['rules'][number], 'id' | 'name' | 'conditions'>;

/** Rules of the source with the ids of the target: of rules with the same name, and of their equal conditions. */
export function withKnownIds<R extends NamedRule>(source: readonly R[], target: readonly NamedRule[]): R[] {
  const ruleId = counterparts(source, target, ({ name }) => name);
  const known = Map.groupBy(target, ({ id }) => id);
  return source.map((rule) => {
    const id = ruleId(rule.id);
    return { ...rule, id, conditions: withKnownConditions(rule.conditions, known.get(id)?.[0]?.conditions ?? []) };
  });
}

/** Conditions of the source. Where the target has an equal one with another id or none, that one. */
function withKnownConditions(source: readonly Condition[], target: readonly Condition[]): Condition[] {
  const content = (condition: Condition) => JSON.stringify({ ...condition, id: undefined });
  const idsOf = (conditions: readonly Condition[]) =>
    new Set<string | undefined>(conditions.flatMap(({ id }) => id ?? []));
  const [sourceIds, targetIds] = [idsOf(source), idsOf(target)];
  const take = takerOf(
    target.filter(({ id }) => !sourceIds.has(id)),
    content,
  );
  return source.map((condition) => (targetIds.has(condition.id) ? condition : (take(condition) ?? condition)));
}

/** Takes the first item that has the name of another and is not taken yet. */
function takerOf<T>(free: readonly T[], nameOf: (item: T) => string): (like: T) => T | undefined {
  const left = new Map(Array.from(Map.groupBy(free, nameOf), ([name, items]) => [name, items.values()]));
  return (like) => left.get(nameOf(like))?.next().value;
}

/**
 * The target's id for each item of the source. It is the same id if both have it, else the id of a matching item, else
 * the source's id.
 */
function counterparts<T extends { readonly id: string }>(
  source: readonly T[],
  target: readonly T[],
  knownBy: (item: T) => string,
): (id: string) => string {
  const sourceIds = new Set(source.map(({ id }) => id));
  const targetIds = new Set(target.map(({ id }) => id));
  const take = takerOf(
    target.filter(({ id }) => !sourceIds.has(id)),
    knownBy,
  );
  const found = new Map<string, string>();
  for (const item of source.filter(({ id }) => !targetIds.has(id))) {
    const other = take(item);
    if (other) found.set(item.id, other.id);
  }
  return (id) => found.get(id) ?? id;
}
