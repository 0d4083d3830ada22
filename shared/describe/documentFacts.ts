import type { Flag } from '../flags/flag.ts';
import type { Condition, Rollout, TargetingRule } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { formatShares, nameOfVariation } from '../flags/shares.ts';
import { shortened } from '../flags/texts.ts';
import { formatCondition } from './conditionText.ts';

/** Maximum number of characters of a name in a text that may repeat it: thousands of shares may have one variation. */
const NAME_LIMIT = 100;

/** A fact of a document, in words. */
export interface Fact {
  /** What it describes. It stays the same after a change. */
  readonly about: string;
  readonly label: string;
  readonly text: string;
  /** Of a rollout: its text next to one with percentages, `green 100 %`. */
  readonly textInPercent?: string;
  /** Of an ordered list, which decide whether it has changed. */
  readonly ids?: readonly string[];
  /** Compared instead of it if it exists before and after a change. */
  readonly parts?: readonly Fact[];
}

/** The display name of a segment id. */
export type SegmentName = (id: string) => string;

/**
 * The facts of a flag, one for each line of the page. Flags that serve any user different values differ in at least one
 * fact.
 */
export function factsOfFlag(flag: Flag, segmentName: SegmentName): Fact[] {
  const nameOf = (id: string) => nameOfVariation(flag, id, NAME_LIMIT);
  return [
    ...endOf(flag),
    fact('isEnabled', 'Switch', flag.isEnabled ? 'on' : 'off'),
    ...described(flag),
    fact('variationType', 'Type', flag.variationType),
    fact('tags', 'Tags', flag.tags.join(', ')),
    ...flag.variations.map(({ id, name, value }) =>
      fact(`variation ${id}`, `Variation “${nameOf(id)}”`, name === value || !name ? value : `${name}: ${value}`),
    ),
    fact('off', 'When off, serve', nameOf(flag.disabledVariationId)),
    ...flag.targetUsers
      .filter(({ keyIds }) => keyIds.length > 0)
      .map(({ variationId, keyIds }) =>
        fact(`target ${variationId}`, `Individual targets for “${nameOf(variationId)}”`, keyIds.join(', ')),
      ),
    ...flag.rules.map((rule) => {
      const { about, label, text, parts } = ruleFact(rule, segmentName, ', conditions');
      const served = rolloutFact(`${about} serves`, label, (inPercent) => rolloutText(flag, rule, inPercent));
      return { about, label, text: `${text} → ${served.text}`, parts: [...parts, served] };
    }),
    orderOf(flag.rules),
    rolloutFact('fallthrough', 'Default rule', (inPercent) => rolloutText(flag, flag.fallthrough, inPercent)),
    fact('expt', 'Sent to experiments', flag.exptIncludeAllTargets ? 'all users' : 'only the configured shares'),
  ];
}

/** The facts of a segment. */
export function factsOfSegment(segment: Segment): Fact[] {
  return [
    ...endOf(segment),
    ...described(segment),
    fact('included', 'Included users', segment.included.join(', ')),
    fact('excluded', 'Excluded users', segment.excluded.join(', ')),
    ...segment.rules.map((rule) => ruleFact(rule, (id) => id)),
    orderOf(segment.rules),
  ];
}

/** Conditions in text form. */
export function conditionsText(conditions: readonly Condition[], segmentName: SegmentName): string {
  const nameOf = (id: string) => shortened(segmentName(id), NAME_LIMIT);
  return conditions.map((condition) => formatCondition(condition, nameOf)).join(' and ') || 'everyone';
}

/**
 * The shares of a rollout: `green 60 %, blue 40 %`. Variations that no longer exist are named by their ids.
 *
 * @param inPercent whether a variation that all users get is `green 100 %`, not `green`
 */
export function sharesText(
  flag: Pick<Flag, 'variations'> | undefined,
  rollout: Pick<Rollout, 'variations'>,
  inPercent = false,
): string {
  const named = { variations: flag?.variations ?? [] };
  const share = (name: string, percent: number) => `${name} ${percent} %`;
  return formatShares(named, rollout, share, ', ', inPercent ? (name) => share(name, 100) : undefined, NAME_LIMIT);
}

/** The shares of a rollout as in {@link sharesText}, its attribute, and the part that an experiment counts. */
export function rolloutText(flag: Flag, rollout: Rollout, inPercent = false): string {
  const shares = sharesText(flag, rollout, inPercent);
  const by = rollout.dispatchKey && rollout.dispatchKey !== 'keyId' ? ` by ${rollout.dispatchKey}` : '';
  const sampled = rollout.variations.filter(({ exptRollout }) => exptRollout !== 1);
  if (!rollout.includedInExpt || sampled.length === 0) return shares + by;
  const counted = sampled.map(
    ({ id, exptRollout }) => `${nameOfVariation(flag, id, NAME_LIMIT)} ${Math.round(exptRollout * 10_000) / 100} %`,
  );
  return `${shares}${by}, experiment ${counted.join(' ')}`;
}

function endOf({ isArchived, isDeleted }: Pick<Flag, 'isArchived' | 'isDeleted'>): Fact[] {
  const archived = fact('isArchived', 'Archived', isArchived ? 'yes' : 'no');
  return isDeleted ? [fact('isDeleted', 'Deleted', 'yes'), archived] : [archived];
}

function described({ name, description }: Pick<Flag, 'name' | 'description'>): Fact[] {
  return [fact('name', 'Name', name), fact('description', 'Description', description)];
}

/** The conditions of a rule. @param suffix of their label next to what the rule serves */
function ruleFact(
  { id, name, conditions }: Pick<TargetingRule, 'id' | 'name' | 'conditions'>,
  segmentName: SegmentName,
  suffix = '',
) {
  const [about, label] = [`rule ${id}`, `Rule “${name}”`];
  const text = conditionsText(conditions, segmentName);
  return {
    ...fact(about, label, text),
    parts: [fact(`${about} name`, `${label}, name`, name), fact(`${about} conditions`, `${label}${suffix}`, text)],
  };
}

function orderOf(rules: readonly { readonly id: string; readonly name: string }[]): Fact {
  const names = rules.map(({ name }, index) => `${index + 1} ${name}`).join(', ');
  return { ...fact('order', 'Order of rules', names), ids: rules.map(({ id }) => id) };
}

function fact(about: string, label: string, text: string): Fact {
  return { about, label, text };
}

function rolloutFact(about: string, label: string, textOf: (inPercent: boolean) => string): Fact {
  return { about, label, text: textOf(false), textInPercent: textOf(true) };
}
