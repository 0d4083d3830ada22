import type { Variation, VariationType } from '../../../shared/flags/flag.ts';
import { isOneOf } from '../translation/conditions.ts';
import { ABSENT, type Note, noteValues } from '../translation/differences.ts';
import { type TrafficSplit, trafficSplit } from '../translation/trafficSplit.ts';
import type { FlagContent } from '../translation/translator.ts';
import { Untranslatable } from '../translation/values.ts';
import { contextProperty } from './constraints.ts';
import type { Feature, Strategy, Variant } from './format.ts';
import { type Activation, stickinessKey } from './strategies.ts';

/** The variations of a feature: true and false, or its variants. */
export interface Variations {
  readonly variationType: VariationType;
  readonly variations: readonly Variation[];
  /** The variation for users for whom it is off. */
  readonly off: string;
}

/** Whether at least one variant has a weight. */
const isDrawable = (variants: readonly Variant[]) => variants.some(({ weight }) => weight > 0);

/** The variations of a feature. @throws {Untranslatable} for two variants with the same name */
export function variationsOf({ variants, strategies }: Feature, note: Note): Variations {
  const all = [...variants, ...strategies.flatMap((strategy) => strategy.variants)];
  if (all.length === 0) {
    const variations = ['true', 'false'].map((value) => ({ id: value, name: value, value }));
    return { variationType: 'boolean', variations, off: 'false' };
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
  return { variationType: isJson ? 'json' : 'string', variations, off: 'disabled' };
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
  { variations, off }: Variations,
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
