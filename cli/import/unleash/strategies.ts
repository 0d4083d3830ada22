import { roundNumber } from '../../../shared/flags/exactJson.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import { type Alternatives, allOf, isOneOf, isSet } from '../translation/conditions.ts';
import { ABSENT, type Note, noteValues } from '../translation/differences.ts';
import { type TrafficSplit, trafficSplit } from '../translation/trafficSplit.ts';
import type { FlagContent } from '../translation/translator.ts';
import { textIn, textOf, Untranslatable } from '../translation/values.ts';
import { contextProperty, readConstraint } from './constraints.ts';
import type { Feature, Strategy, Variant } from './format.ts';

/** A strategy: its conditions and its percentage. */
export interface Activation {
  readonly holds: Alternatives;
  /** The percentage of matching users, a whole number up to 100. */
  readonly percent: number;
  /** The attribute that splits users. Null for their key. */
  readonly dispatchKey: string | null;
  /** Strategies with the same group and stickiness select the same users. */
  readonly group: string;
  readonly variants: readonly Variant[];
}

/** Dependencies of translating a strategy: the lookup of segments, which refuses those that are not imported. */
export type SegmentOf = (segment: number) => Condition;

/** @throws {Untranslatable} for custom, address and random strategies, and for unsupported constraints */
export function readStrategy(strategy: Strategy, segmentOf: SegmentOf, note: Note): Activation {
  const { name, parameters, variants } = strategy;
  const constraints = strategy.constraints.map((constraint) => readConstraint(constraint, note));
  const segments = strategy.segments.map((segment): Alternatives => [[segmentOf(segment)]]);
  const holds = allOf([...constraints, ...segments]);
  const everybody = { holds, percent: 100, dispatchKey: null, group: '', variants };
  const group = textIn(parameters, 'groupId');
  switch (name) {
    case 'default':
      return everybody;
    case 'userWithId': {
      const ids = idsIn(textIn(parameters, 'userIds'));
      return { ...everybody, holds: allOf([holds, [[isOneOf('keyId', ids)]]]) };
    }
    case 'gradualRolloutUserId':
      return { ...everybody, percent: percentOf(parameters['percentage']), group };
    case 'gradualRolloutSessionId': {
      const percent = percentOf(parameters['percentage']);
      return { ...everybody, ...drawnBy('sessionId', holds), percent, group };
    }
    case 'flexibleRollout': {
      const stickiness = textIn(parameters, 'stickiness') || 'default';
      const percent = percentOf(parameters['rollout']);
      const drawn = drawnBy(stickinessKey(stickiness, note), holds);
      return { ...everybody, ...drawn, percent, group };
    }
    default:
      throw new Untranslatable(`the strategy ${name}`);
  }
}

/**
 * The attribute of a stickiness. Null for the user's key, which every user has here.
 *
 * @throws {Untranslatable} for random stickiness
 */
function stickinessKey(stickiness: string, note: Note): string | null {
  if (stickiness === 'random') throw new Untranslatable('random stickiness');
  if (stickiness === 'default' || stickiness === 'userId') return null;
  return contextProperty(stickiness, note);
}

/** Users without the attribute are in no percentage. */
function drawnBy(dispatchKey: string | null, holds: Alternatives): Pick<Activation, 'dispatchKey' | 'holds'> {
  return { dispatchKey, holds: dispatchKey === null ? holds : allOf([holds, [[isSet(dispatchKey)]]]) };
}

/** Blanks around a comma are not part of an id. Blanks at both ends of the list are, as in Unleash. */
function idsIn(list: string): readonly string[] {
  return list.split(',').map((id, n, all) => {
    const start = n === 0 ? id : id.trimStart();
    return n === all.length - 1 ? start : start.trimEnd();
  });
}

/** Percentages are whole numbers. */
function percentOf(value: unknown): number {
  const given = roundNumber(value);
  const percent = typeof given === 'string' || typeof given === 'number' ? Math.floor(Number(given)) : Number.NaN;
  if (!Number.isFinite(percent)) throw new Untranslatable(`${textOf(value)} as a percentage`);
  return Math.min(100, Math.max(0, percent));
}

/** Whether at least one variant has a weight. */
const isDrawable = (variants: readonly Variant[]) => variants.some(({ weight }) => weight > 0);

/**
 * The variations of a feature: true and false, or its variants. `off` is for users for whom it is off.
 *
 * @throws {Untranslatable} for two variants with the same name
 */
export function variationsOf({ variants, strategies }: Feature, note: Note) {
  const all = [...variants, ...strategies.flatMap((strategy) => strategy.variants)];
  if (all.length === 0) {
    const variations = ['true', 'false'].map((value) => ({ id: value, name: value, value }));
    return { variationType: 'boolean', variations, off: 'false' } as const;
  }
  note({ cause: 'disabledVariant' });
  const isJson = all.every(({ payload }) => payload?.type === 'json');
  const byName = new Map([['disabled', isJson ? 'null' : 'disabled']]);
  for (const { name, payload } of all) {
    const value = payload?.value ?? name;
    if ((byName.get(name) ?? value) !== value) throw new Untranslatable(`several variants with the name "${name}"`);
    byName.set(name, value);
  }
  const variations = Array.from(byName, ([name, value]) => ({ id: name, name, value }));
  return { variationType: isJson ? 'json' : 'string', variations, off: 'disabled' } as const;
}

/** The variants of a strategy: its own, else the feature's. */
export function drawnFrom({ variants }: Pick<Strategy, 'variants'>, feature: Feature): readonly Variant[] {
  return isDrawable(variants) ? variants : isDrawable(feature.variants) ? feature.variants : [];
}

/**
 * The rules of an activation: one for each alternative, after those of overrides.
 *
 * @throws {Untranslatable} if users and their variants are split by different attributes
 */
export function rulesOf(
  { holds, percent, dispatchKey, variants }: Activation,
  { variations, off }: ReturnType<typeof variationsOf>,
  note: Note,
): FlagContent['rules'] {
  const [first] = variants;
  const weighted = variants.filter(({ weight }) => weight > 0);
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const on = variations.length === 2 && off === 'false' ? 'true' : off;
  const among = first
    ? weighted.map(({ name, weight }): [string, number] => [name, weight / total])
    : [[on, 1] as const];
  const variantKey = weighted.length > 1 ? stickinessKey(first?.stickiness || 'default', note) : dispatchKey;
  if (percent < 100 && variantKey !== dispatchKey)
    throw new Untranslatable('percentages with another stickiness than their variants');
  if (variantKey !== null && variantKey !== dispatchKey)
    noteValues(note, variantKey, [...ABSENT, 'empty'], 'drawnAnew');
  const share = (served: readonly (readonly [string, number])[]): TrafficSplit =>
    trafficSplit(variantKey, [...served.map(([id, part]) => [id, part * percent] as const), [off, 100 - percent]]);
  const overrides = variants.flatMap(({ name, overrides }) => overrides.map((override) => ({ name, ...override })));
  return [
    ...overrides.flatMap(({ name, contextName, values }) => {
      const property = contextProperty(contextName, note);
      if (values.includes('')) noteValues(note, property, ['empty']);
      // A missing attribute matches no value of an override.
      const condition = isOneOf(
        property,
        values.filter((value) => value !== ''),
      );
      return holds.map((conditions) => ({ conditions: [...conditions, condition], ...share([[name, 1]]) }));
    }),
    ...holds.map((conditions) => ({ conditions, ...share(among) })),
  ];
}
