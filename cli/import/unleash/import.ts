import { allOf, inSegment } from '../translation/conditions.ts';
import type { Note } from '../translation/differences.ts';
import { everybody } from '../translation/trafficSplit.ts';
import { type FlagContent, type Translation, Translator } from '../translation/translator.ts';
import { textIn, textOf, Untranslatable } from '../translation/values.ts';
import { readConstraint } from './constraints.ts';
import { type Feature, readEnvironment, readFeature, readSegment } from './format.ts';
import { type Activation, drawnFrom, readStrategy, rulesOf, type SegmentOf, variationsOf } from './strategies.ts';

/**
 * Reads an environment of Unleash. Each flag has the value of Unleash's SDKs for the same context, or a listed
 * difference.
 *
 * @throws {WrongForm} if the file has no features
 */
export function importFromUnleash(file: unknown, sourceEnv?: string): Translation {
  const { features, segments } = readEnvironment(file, sourceEnv);
  const translator = new Translator();
  const names = new Map(segments.map(({ id, name }) => [textOf(id), textOf(name ?? id)]));
  for (const segment of segments) {
    const name = names.get(textOf(segment['id'])) ?? '';
    translator.segment(segmentId(segment['id']), name, (note) => ({
      name,
      alternatives: allOf(readSegment(segment).map((constraint) => readConstraint(constraint, note))),
    }));
  }
  const segmentOf: SegmentOf = (id) => {
    translator.requireSegment(segmentId(id), names.get(textOf(id)) ?? textOf(id));
    return inSegment([segmentId(id)]);
  };
  for (const feature of features) {
    translator.flag(textIn(feature, 'name'), (note) => translate(readFeature(feature), segmentOf, note));
  }
  return translator;
}

/** In Unleash, segment ids are numbers. */
const segmentId = (id: unknown) => `unleash-${textOf(id)}`;

function translate(feature: Feature, segmentOf: SegmentOf, note: Note): FlagContent {
  if (feature.isArchived) throw new Untranslatable('an archived feature');
  if (feature.hasDependencies) throw new Untranslatable('features that depend on others');
  const variations = variationsOf(feature, note);
  const used = feature.strategies.filter(({ isDisabled }) => !isDisabled);
  if (used.length === 0 && feature.strategies.length > 0)
    throw new Untranslatable('a feature whose strategies are all disabled');
  const always = {
    holds: [[]],
    percent: 100,
    dispatchKey: null,
    group: '',
    variants: drawnFrom({ variants: [] }, feature),
  };
  const activations = used.map(
    (strategy): Activation => ({
      ...readStrategy(strategy, segmentOf, note),
      variants: drawnFrom(strategy, feature),
    }),
  );
  const rules = inOrder(used.length === 0 ? [always] : activations);
  return {
    description: feature.description,
    variationType: variations.variationType,
    variations: variations.variations,
    rules: rules.flatMap((activation) => rulesOf(activation, variations, note)),
    isEnabled: feature.isEnabled,
    disabledVariationId: variations.off,
    fallthrough: everybody(variations.off),
  };
}

/**
 * Orders activations so that the first match decides. A user outside the percentage of one activation may be in the
 * next. Activations with the same variations may be reordered. Of those with the same stickiness and group, the largest
 * includes all users of the others.
 *
 * @throws {Untranslatable} if there is no such order
 */
function inOrder(activations: readonly Activation[]): readonly Activation[] {
  const possible = activations.filter(({ percent }) => percent > 0);
  const isUniform = new Set(possible.map(({ variants }) => JSON.stringify(variants))).size <= 1;
  const ordered = isUniform ? possible.toSorted((a, b) => b.percent - a.percent) : possible;
  const firstPartial = ordered.findIndex(({ percent }) => percent < 100);
  const rest = firstPartial === -1 ? [] : ordered.slice(firstPartial);
  const isOneDraw =
    isUniform && new Set(rest.map(({ group, dispatchKey }) => JSON.stringify([group, dispatchKey]))).size === 1;
  if (rest.length > 1 && !isOneDraw)
    throw new Untranslatable('several strategies whose percentages select different users');
  return ordered;
}
