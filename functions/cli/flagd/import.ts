import { type Flag, parseFlag } from '../../../shared/flags/flag.ts';
import { formatProblem } from '../../../shared/flags/problem.ts';
import { isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';
import type { Condition, Rollout } from '../../../shared/flags/rule.ts';
import {
  type Alternatives,
  attributeOf,
  operationOf,
  readCondition,
  Untranslatable,
  untranslatable,
} from './conditions.ts';

/** Flags of flagd's file, and what became of the others. */
export interface FlagdImport {
  readonly flags: readonly Flag[];
  /** Flags that are not imported, each with the reason. */
  readonly leftOut: readonly string[];
  /** Flags that are imported and not quite the same, each with the difference. */
  readonly differences: readonly string[];
}

/**
 * Reads flagd's flag definitions (schema v0), so that each flag has the value that flagd gives for the same context, or is named
 * with what differs.
 *
 * @returns undefined when the file holds no flags
 */
export function importFromFlagd(file: unknown): FlagdImport | undefined {
  const all = isJsonObject(file) ? file['flags'] : undefined;
  if (!isJsonObject(file) || (!isJsonObject(all) && !Array.isArray(all))) return undefined;
  const evaluators = isJsonObject(file['$evaluators']) ? file['$evaluators'] : {};
  const entries = Array.isArray(all) ? all.map((flag) => [String(flag?.key), flag] as const) : Object.entries(all);
  const flags = new Map<string, Flag>();
  const leftOut: string[] = [];
  const differences: string[] = [];
  for (const [key, definition] of entries) {
    try {
      if (flags.has(key)) throw new Untranslatable('a second flag of this key');
      const flag = readFlag(key, isJsonObject(definition) ? definition : {}, evaluators);
      flags.set(key, flag);
      differences.push(...[...differencesOf(flag)].map((text) => `${key}: ${text}`));
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      leftOut.push(`${key}: there is nothing here for ${error.message}`);
    }
  }
  return { flags: [...flags.values()], leftOut, differences };
}

const TYPES = { boolean: 'boolean', string: 'string', number: 'number', object: 'json' } as const;

function readFlag(key: string, definition: JsonObject, evaluators: JsonObject): Flag {
  if (definition['state'] !== 'ENABLED')
    throw new Untranslatable('a disabled flag, of which clients take the default of their code');
  const variants = Object.entries(isJsonObject(definition['variants']) ? definition['variants'] : {});
  const [type, ...others] = new Set(variants.map(([, value]) => typeof value));
  const variationType = TYPES[type as keyof typeof TYPES];
  if (others.length > 0 || variationType === undefined)
    throw new Untranslatable('variants of several types, or of none');
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

  const { defaultVariant, metadata, targeting = {} } = definition;
  const variantOf = variantReader(
    variants.map(([name]) => name),
    defaultVariant,
  );
  const isEmpty = isJsonObject(targeting) && Object.keys(targeting).length === 0;
  const { rules, otherwise } = isEmpty
    ? { rules: [], otherwise: variantOf(null) }
    : readTargeting(targeting, evaluators, variantOf);
  const about = isJsonObject(metadata) ? metadata : {};
  const parsed = parseFlag({
    key,
    name: about['name'] ?? key,
    description: about['description'] ?? '',
    variationType,
    variations: variants.map(([name, value]) => ({ id: name, name, value: text(value) })),
    rules: rules.map((rule, n) => ({ id: `rule-${n + 1}`, name: `rule ${n + 1}`, ...rule })),
    isEnabled: true,
    disabledVariationId: typeof defaultVariant === 'string' ? defaultVariant : variants[0]?.[0],
    fallthrough: otherwise,
  });
  if (!parsed.ok) throw new Untranslatable(parsed.problems.map(formatProblem).join('; '));
  return parsed.value;
}

/** What serves a user: one variant, or shares of several. */
type Serving = Pick<Rollout, 'dispatchKey' | 'variations'>;
type VariantReader = (result: unknown) => Serving;

function variantReader(names: readonly string[], defaultVariant: unknown): VariantReader {
  const nameOf = (result: unknown): string => {
    const name = result ?? defaultVariant;
    if (name === undefined || name === null)
      throw new Untranslatable('no variant, so that clients take the default of their code');
    if (!['string', 'boolean', 'number'].includes(typeof name)) throw untranslatable(name);
    if (!names.includes(String(name)))
      throw new Untranslatable(`the variant "${String(name)}", which the flag does not have`);
    return String(name);
  };
  return (result) => {
    if (!isJsonObject(result)) return serving(null, [[nameOf(result), 1]]);
    const [operator, args] = operationOf(result);
    if (operator !== 'fractional') throw untranslatable(result);
    const [first] = args;
    const isKeyed = !Array.isArray(first);
    const buckets = (isKeyed ? args.slice(1) : args).map((bucket): [string, number] => {
      const [name, weight = 1] = Array.isArray(bucket) ? bucket : [bucket, Number.NaN];
      if (typeof weight !== 'number' || !Number.isInteger(weight)) throw untranslatable(result);
      return [nameOf(name), Math.max(0, weight)];
    });
    return serving(isKeyed ? bucketKeyOf(first) : null, buckets);
  };
}

/** The attribute that users are divided by, alone or behind the flag's key. */
function bucketKeyOf(logic: unknown): string {
  const parts = isJsonObject(logic) && Array.isArray(logic['cat']) ? logic['cat'] : [logic];
  const ofUser = parts.filter((part) => !(isJsonObject(part) && part['var'] === '$flagd.flagKey'));
  const attribute = ofUser.length === 1 ? attributeOf(ofUser[0]) : undefined;
  if (!attribute) throw untranslatable(logic);
  return attribute.property;
}

function serving(dispatchKey: string | null, weighted: readonly (readonly [name: string, weight: number])[]): Serving {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) throw new Untranslatable('weights that are nothing together');
  let before = 0;
  const variations = weighted.map(([id, weight]) => {
    const lower = before / total;
    before += weight;
    return { id, rollout: [lower, before / total] as const, exptRollout: 1 };
  });
  return { dispatchKey, variations: variations.filter(({ rollout: [lower, upper] }) => upper > lower) };
}

interface Targeting {
  readonly rules: readonly (Serving & { readonly conditions: readonly Condition[] })[];
  readonly otherwise: Serving;
}

/** Rules in order, each once for each of its alternatives, and what serves everybody else. */
function readTargeting(logic: unknown, evaluators: JsonObject, variantOf: VariantReader): Targeting {
  const rules: Targeting['rules'][number][] = [];
  for (let rest = logic; ; ) {
    const [operator, args] = isJsonObject(rest) ? operationOf(rest) : ['', []];
    if (operator === '$ref' && Object.hasOwn(evaluators, String(args[0]))) {
      throw new Untranslatable('targeting that is all in an evaluator');
    }
    if (!isJsonObject(rest) || operator === 'fractional') return { rules, otherwise: variantOf(rest) };
    // A condition by itself gives true or false, which name variants.
    const branches = operator === 'if' ? args : [rest, true, false];
    for (let n = 0; n + 1 < branches.length; n += 2) {
      const alternatives: Alternatives = readCondition(branches[n], evaluators);
      const served = variantOf(branches[n + 1]);
      rules.push(...alternatives.map((conditions) => ({ conditions, ...served })));
    }
    rest = branches.length % 2 === 1 ? branches.at(-1) : null;
  }
}

function differencesOf({ rules, fallthrough }: Flag): ReadonlySet<string> {
  const isDrawn = [fallthrough, ...rules].some(({ variations }) => variations.length > 1);
  const drawn = isDrawn ? ['has percentages: other users are drawn for them'] : [];
  return new Set([...drawn, ...rules.flatMap(({ conditions }) => conditions.flatMap(differencesOfCondition))]);
}

function differencesOfCondition({ property, op }: Condition): readonly string[] {
  if (/^(Less|Bigger)/.test(op ?? '')) return ['compares numbers: it does not hold for what is missing, or no number'];
  const isNegative = property === 'name' && /^Not/.test(op ?? '');
  return isNegative ? ['asks what the name is not: it does not hold where there is none'] : [];
}
