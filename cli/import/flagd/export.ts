import { segmentIdsOf } from '../../../shared/evaluation/condition.ts';
import { byKind, type Document } from '../../../shared/flags/document.ts';
import { parseExactJson } from '../../../shared/flags/exactJson.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import { isNestedDeeper } from '../../../shared/flags/nesting.ts';
import { isJsonObject } from '../../../shared/flags/reader.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import { valueJson } from '../../../shared/flags/variationValue.ts';
import { lostKeys, MAX_NESTING, TOO_DEEP } from '../jsonFile.ts';
import {
  allOf,
  anyOf,
  conditionLogic,
  differencesOfCondition,
  Inexpressible,
  isOneOfUsers,
  type Logic,
  not,
  rolloutLogic,
  sharesOf,
  variantsOf,
} from './targeting.ts';

/**
 * Writes flags and segments as flagd's flag definitions (schema v0). Each flag in the file has the same value as here
 * for the same context, or a listed difference. Archived flags do not exist for clients, so they are left out.
 *
 * @param documents deleted ones too: flags may still match by a deleted segment
 * @returns the file, the flags that are not in it, each with the reason, and those that evaluate differently, each with the difference
 */
export function exportToFlagd(documents: readonly Document[]) {
  const segments = new Map(byKind(documents).segments.map((segment) => [segment.id, segment]));
  const used = new Map<string, Logic>();
  const segmentLogic = (id: string): Logic => {
    const segment = segments.get(id);
    if (!segment) return false;
    const logic = used.get(id) ?? membership(segment);
    // flagd's evaluators insert shared rules by a text replacement, in which patterns such as `$&` have a meaning.
    if (typeof logic === 'boolean' || JSON.stringify(logic).includes('$')) return logic;
    used.set(id, logic);
    return { $ref: id };
  };
  const flags: [string, ReturnType<typeof flagdFlag>][] = [];
  const leftOut: string[] = [];
  const differences: string[] = [];
  for (const { kind, document: flag } of documents) {
    if (kind !== 'flag' || flag.isArchived) continue;
    try {
      flags.push([flag.key, flagdFlag(flag, segmentLogic)]);
      differences.push(...[...differencesOf(flag, segments)].map((text) => `${flag.key}: ${text}`));
    } catch (error) {
      if (!(error instanceof Inexpressible)) throw error;
      leftOut.push(`${flag.key}: flagd cannot express ${error.message}`);
    }
  }
  const file = {
    $schema: 'https://flagd.dev/schema/v0/flags.json',
    flags: Object.fromEntries(flags),
    $evaluators: Object.fromEntries(used),
  };
  return { file, leftOut, differences };
}

function membership({ included, excluded, rules }: Segment): Logic {
  const noSegment = () => false;
  const byRules = rules.map(({ conditions }) => allOf(conditions.map((one) => conditionLogic(one, noSegment))));
  const isIn = included.length > 0 ? [isOneOfUsers(included)] : [];
  const isOut = excluded.length > 0 ? [not(isOneOfUsers(excluded))] : [];
  return allOf([...isOut, anyOf([...isIn, ...byRules])]);
}

function flagdFlag(flag: Flag, segment: (id: string) => Logic) {
  const variantOf = variantsOf(flag);
  const variants = Object.fromEntries(
    flag.variations.map(({ id, value }) => [variantOf(id), readValue(flag, id, value)]),
  );
  const texts = Object.entries({ name: flag.name, description: flag.description }).filter(([, text]) => text !== '');
  const common = { state: 'ENABLED', variants, metadata: Object.fromEntries(texts) } as const;
  if (!flag.isEnabled) return { ...common, defaultVariant: variantOf(flag.disabledVariationId) };

  const branches: Logic[] = [];
  for (const { keyIds, variationId } of flag.targetUsers) {
    if (keyIds.length > 0) branches.push(isOneOfUsers(keyIds), variantOf(variationId));
  }
  for (const rule of flag.rules) {
    const holds = allOf(rule.conditions.map((condition) => conditionLogic(condition, segment)));
    if (holds !== false) branches.push(holds, rolloutLogic(rule, variantOf));
  }
  const otherwise = rolloutLogic(flag.fallthrough, variantOf);
  if (typeof otherwise === 'string') {
    const targeting = branches.length > 0 ? { targeting: { if: branches } } : {};
    return { ...common, defaultVariant: otherwise, ...targeting };
  }
  return { ...common, targeting: branches.length > 0 ? { if: [...branches, otherwise] } : otherwise };
}

function readValue({ variationType }: Flag, id: string, text: string): unknown {
  if (variationType === 'json' && isNestedDeeper(text, MAX_NESTING)) {
    throw new Inexpressible(`the value of variation "${id}", which ${TOO_DEEP}`);
  }
  const json = valueJson(variationType, text);
  const value: unknown = json === undefined ? undefined : parseExactJson(json);
  if (value !== undefined && (variationType !== 'json' || isJsonObject(value))) return value;
  const wanted = variationType === 'json' ? 'a JSON object' : `a ${variationType}`;
  throw new Inexpressible(`the value of variation "${id}", which is not ${wanted}`);
}

function differencesOf(flag: Flag, segments: ReadonlyMap<string, Segment>): ReadonlySet<string> {
  const losesKeys = ({ value }: Flag['variations'][number]) => Object.values(lostKeys(value)).flat().length > 0;
  const rewritten = flag.variationType === 'json' && flag.variations.some(losesKeys) ? [REWRITTEN] : [];
  if (!flag.isEnabled) {
    const off = 'is off: everyone gets its off variation, and its targets and rules are not exported';
    return new Set([...rewritten, off]);
  }
  const ownConditions = flag.rules.flatMap(({ conditions }) => conditions);
  const ofSegments = ownConditions.flatMap(segmentIdsOf).flatMap((id) => segments.get(id)?.rules ?? []);
  const conditions = [...ownConditions, ...ofSegments.flatMap((rule) => rule.conditions)];
  const isDrawn = [flag.fallthrough, ...flag.rules].some((rollout) => sharesOf(rollout).length > 1);
  const drawn = isDrawn ? ['has a percentage rollout: flagd selects other users'] : [];
  return new Set([...rewritten, ...drawn, ...conditions.flatMap(differencesOfCondition)]);
}

const REWRITTEN = 'has a JSON value whose keys are sorted, or that has a key twice: of two, the file has the last';
