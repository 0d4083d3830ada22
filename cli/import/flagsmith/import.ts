import { inSegment } from '../translation/conditions.ts';
import type { Note } from '../translation/differences.ts';
import { type TrafficSplit, trafficSplit } from '../translation/trafficSplit.ts';
import { type FlagContent, type Translation, Translator } from '../translation/translator.ts';
import { textOf, typeOf, Untranslatable } from '../translation/values.ts';
import { type Environment, type Override, readEnvironment, readRules, readState, type State } from './format.ts';
import { readSegmentRules } from './segments.ts';

/**
 * Reads an environment document of Flagsmith. Each flag has the value of Flagsmith's SDKs for the same identity and
 * traits, or a listed difference.
 *
 * @throws {WrongForm} for any other file
 */
export function importFromFlagsmith(file: unknown): Translation {
  const environment = readEnvironment(file);
  const translator = new Translator();
  for (const { id, name, rules } of environment.segments) {
    translator.segment(id, name, (note) => ({ name, alternatives: readSegmentRules(readRules(rules), note) }));
  }
  for (const [feature, state] of environment.states) {
    translator.flag(feature, (note) => {
      const overrides = overridesOf(feature, environment);
      for (const { id, name } of overrides.segments) translator.requireSegment(id, name);
      return translate(readState(state), overrides, note);
    });
  }
  return translator;
}

/** The overrides of a feature: of segments, the one that applies first is the first. */
function overridesOf(feature: string, { segments, identities }: Environment) {
  const ofFeature = <T extends { readonly overrides: readonly Override[] }>(owner: T) =>
    owner.overrides
      .slice()
      .filter((override) => override.feature === feature)
      .slice(0, 1)
      .map(({ priority, state }) => ({ ...owner, priority, state: readState(state) }));
  return {
    segments: segments.flatMap(ofFeature).toSorted((a, b) => (a.priority === b.priority ? 0 : a.priority - b.priority)),
    identities: identities.flatMap(ofFeature),
  };
}

function translate(state: State, { segments, identities }: ReturnType<typeof overridesOf>, note: Note): FlagContent {
  const states = [state, ...segments, ...identities].map((item) => ('state' in item ? item.state : item));
  const { serve, ...variations } = variationsOf(states, note);
  const targets = identities.map(({ identifier, state: own }) => {
    const [only, ...others] = serve(own).variations;
    if (!only || others.length > 0) throw new Untranslatable('a percentage split for one identity');
    return { keyIds: [identifier], variationId: only.id };
  });
  return {
    ...variations,
    targetUsers: targets,
    rules: segments.map(({ id, state: own }) => ({ conditions: [inSegment([id])], ...serve(own) })),
    fallthrough: serve(state),
  };
}

interface Variations extends Pick<FlagContent, 'variationType' | 'variations' | 'isEnabled' | 'disabledVariationId'> {
  readonly serve: (state: State) => TrafficSplit;
}

/**
 * The variations of a feature's states. A feature that is off in all of them is off here. It keeps its values and
 * serves them once it is on. Otherwise the states say for which users it is off, and the values of those states are not
 * served.
 */
function variationsOf(states: readonly State[], note: Note): Variations {
  const isEnabled = states.some((state) => state.isEnabled);
  const isOn = (state: State) => state.isEnabled || !isEnabled;
  const served = states.filter(isOn).flatMap(shares);
  const values = [...new Map(served.map(([value]) => [JSON.stringify(value), value])).values()];
  if (!values.some(isValue)) {
    if (states.some(({ value, variants }) => variants.length > 0 || isValue(value))) note({ cause: 'unusedValue' });
    const variations = ['true', 'false'].map((value) => ({ id: value, name: value, value }));
    const serve = (state: State) => trafficSplit(null, [[String(isOn(state)), 1]]);
    return { variationType: 'boolean', variations, isEnabled, disabledVariationId: 'false', serve };
  }
  const ids = new Map(values.map((value, n) => [JSON.stringify(value), `value-${n + 1}`]));
  const named = values.map((value, n) => ({ id: `value-${n + 1}`, name: `value-${n + 1}`, value: textOf(value) }));
  const type = typeOf(values);
  // A boolean says whether a feature is enabled. Values that are booleans are something else.
  const variationType = type === 'boolean' ? 'string' : type;
  const serve = (state: State): TrafficSplit =>
    trafficSplit(
      null,
      isOn(state)
        ? shares(state).map(([value, percent]) => [ids.get(JSON.stringify(value)) ?? '', percent])
        : [['disabled', 1]],
    );
  if (isEnabled && states.every(isOn))
    return { variationType, variations: named, isEnabled, disabledVariationId: named[0]?.id, serve };
  note({ cause: 'disabledValue' });
  const disabled = { id: 'disabled', name: 'disabled', value: 'disabled' };
  return {
    variationType: 'string',
    variations: [...named, disabled],
    isEnabled,
    disabledVariationId: 'disabled',
    serve,
  };
}

const isValue = (value: unknown) => value !== null && value !== '';

/** The values of a state that users get, in percent. */
function shares(state: State): (readonly [value: unknown, percent: number])[] {
  const drawn = state.variants.map(({ value, percent }) => [value, percent] as const);
  const rest = 100 - drawn.reduce((sum, [, percent]) => sum + percent, 0);
  if (rest < 0 || drawn.some(([, percent]) => percent < 0))
    throw new Untranslatable('percentages that are negative or add up to more than 100');
  return [...drawn, [state.value, rest] as const].filter(([, percent]) => percent > 0);
}
