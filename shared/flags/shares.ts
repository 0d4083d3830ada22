import { findNamed } from './findNamed.ts';
import type { Flag, Variation } from './flag.ts';
import { InvalidInput, InvalidSyntax } from './invalidInput.ts';
import type { Rollout, RolloutVariation } from './rule.ts';
import { shortened } from './texts.ts';

/** Changes to a rollout. Missing fields stay unchanged. */
export interface RolloutChange {
  /**
   * Variations with percentages that sum to 100 (`true=10`), or one variation for all users (`true`). Empty: unchanged.
   */
  readonly shares?: readonly string[];
  /** Attribute that selects users' buckets. */
  readonly by?: string | undefined;
  /** Percentages of users sent to the experiment, by variation (`true=5`). Others become 0. */
  readonly experiment?: readonly string[];
}

/**
 * Finds a variation by its id, else its name, else its value, else as {@link nameOfVariation} shows it.
 *
 * @throws {InvalidInput} with the existing variations, or with the ids if several have the name or value
 */
export function findVariation(flag: Flag, named: string): Variation {
  const found = lookUp(flag, named);
  if (found) return found;
  const known = flag.variations.map(({ id }) => nameOfVariation(flag, id)).join(', ');
  throw new InvalidInput(`flag "${flag.key}" has no variation "${named}"; its variations are: ${known}`);
}

function lookUp({ key, variations }: Flag, named: string): Variation | undefined {
  const name = (variation: Variation) => variation.name || undefined;
  return findNamed(variations, named, [name, ({ value }) => value, shownName], `variations of flag "${key}"`);
}

/** Names by id, for each list of variations and each limit of characters. The code has few limits. */
const NAMES = new WeakMap<readonly Variation[], Map<number, ReadonlyMap<string, string>>>();

/**
 * The display name of a variation: its name or value, with its id if another one looks equal. An unknown id stays. The names of all variations
 * are built at the first call, so that a call for each of them takes time in proportion to their number.
 *
 * @param limit characters of the name or value
 */
export function nameOfVariation(
  { variations }: Pick<Flag, 'variations'>,
  id: string,
  limit = Number.POSITIVE_INFINITY,
): string {
  const known = NAMES.get(variations) ?? new Map<number, ReadonlyMap<string, string>>();
  NAMES.set(variations, known);
  const names = known.get(limit) ?? namesOf(variations, limit);
  known.set(limit, names);
  return names.get(id) ?? id;
}

function namesOf(variations: readonly Variation[], limit: number): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const owners = new Map<string, ReadonlySet<string>>();
  for (const variation of variations) {
    const { id } = variation;
    const shown = shortened(shownName(variation), limit);
    if (!names.has(id)) names.set(id, shown);
    const others = owners.get(shown);
    // Two are enough to know that it is ambiguous.
    if (!others || others.size < 2) owners.set(shown, new Set([...(others ?? []), id]));
  }
  return new Map(Array.from(names, ([id, shown]) => [id, owners.get(shown)?.size === 1 ? shown : `${shown} (${id})`]));
}

function shownName({ name, value }: Variation): string {
  return name?.trim() || value.trim() || '(empty)';
}

/** A rollout that serves one variation to all users. */
export function everybody(variationId: string): RolloutVariation[] {
  return [{ id: variationId, rollout: [0, 1], exptRollout: 1 }];
}

/** Changes the rollout of a flag's rule or default. @throws {InvalidInput} */
export function changedRollout<R extends Rollout>(flag: Flag, rollout: R, change: RolloutChange): R {
  const { shares = [], by, experiment = [] } = change;
  const variations = shares.length === 0 ? rollout.variations : rangesFrom(flag, shares);
  return {
    ...rollout,
    ...(by === undefined ? {} : { dispatchKey: by }),
    ...(experiment.length === 0 ? {} : { includedInExpt: true }),
    variations: experiment.length === 0 ? variations : withExperiment(flag, variations, experiment),
  };
}

/**
 * A rollout as the CLI takes it: `true=10 false=90`, or `true` if all users get one variation. A variation has several
 * shares if a gradual rollout has made them.
 *
 * @param formatWhole the text of a variation that all users get
 * @param limit characters of a name
 */
export function formatShares(
  flag: Pick<Flag, 'variations'>,
  { variations }: Pick<Rollout, 'variations'>,
  formatShare = (name: string, percent: number) => `${name}=${percent}`,
  separator = ' ',
  formatWhole = (name: string) => name,
  limit?: number,
): string {
  const nameOf = (id: string) => nameOfVariation(flag, id, limit);
  const [only] = variations;
  if (only && !isSplit(variations)) return formatWhole(nameOf(only.id));
  return variations
    .map(({ id, rollout: [lower, upper] }) => formatShare(nameOf(id), Math.round((upper - lower) * 10_000) / 100))
    .join(separator);
}

/** The parts of the users that get each variation, in the order of the shares. A gradual rollout may have given one several. */
export function widthsOf(variations: readonly RolloutVariation[]): Map<string, number> {
  const widths = new Map<string, number>();
  for (const { id, rollout } of variations) widths.set(id, (widths.get(id) ?? 0) + rollout[1] - rollout[0]);
  return widths;
}

/** Whether a rollout serves other than one variation to all users. */
export function isSplit([only, ...others]: readonly Pick<RolloutVariation, 'rollout'>[]): boolean {
  return only === undefined || others.length > 0 || only.rollout[0] !== 0 || only.rollout[1] !== 1;
}

/** Percentages as cumulative ranges. It adds whole hundredths of a percent to avoid rounding errors. */
function rangesFrom(flag: Flag, shares: readonly string[]): RolloutVariation[] {
  const [only = ''] = shares;
  const whole = shares.length === 1 ? lookUp(flag, only) : undefined;
  if (whole) return everybody(whole.id);
  let upTo = 0;
  const ranges = readShares(flag, shares).map(([id, hundredths]): RolloutVariation => {
    const from = upTo;
    upTo += hundredths;
    return { id, rollout: [from / 10_000, upTo / 10_000], exptRollout: 1 };
  });
  if (upTo !== 10_000) throw new InvalidSyntax(`the shares sum to ${upTo / 100} %; they must sum to 100 %`);
  return ranges.filter(({ rollout: [lower, upper] }) => upper > lower);
}

/** @throws {InvalidInput} if a variation has two shares, such as `true=30 true=70` */
function readShares(flag: Flag, texts: readonly string[]): (readonly [id: string, hundredths: number])[] {
  const shares = texts.map((text) => readShare(flag, text));
  const twice = shares.find(([id], index) => shares.findIndex(([other]) => other === id) < index);
  if (!twice) return shares;
  throw new InvalidInput(`variation "${nameOfVariation(flag, twice[0])}" has two shares; give each variation one`);
}

/** A variation's id, and its share in hundredths of a percent. */
function readShare(flag: Flag, share: string): [id: string, hundredths: number] {
  const at = share.lastIndexOf('=');
  if (at >= 0 && /^\d+[.]\d{3,}%?$/.test(share.slice(at + 1))) {
    throw new InvalidSyntax(`"${share}" has too many decimals; a percentage takes at most 2, such as true=33.33`);
  }
  const [, percent] = /^(\d+(?:\.\d{1,2})?)%?$/.exec(share.slice(at + 1)) ?? [];
  // One word is meant as a variation.
  if (at < 0) findVariation(flag, share);
  if (at < 0 || percent === undefined) {
    throw new InvalidInput(
      `"${share}" is not a share; write a variation and a percentage, such as true=10 or true=12.5`,
    );
  }
  return [findVariation(flag, share.slice(0, at)).id, Math.round(Number(percent) * 100)];
}

/**
 * FeatBit defines an experiment's share in percent of all users of the rollout, including those of other variations.
 */
function withExperiment(
  flag: Flag,
  variations: readonly RolloutVariation[],
  texts: readonly string[],
): RolloutVariation[] {
  const wanted = new Map(readShares(flag, texts));
  const widths = widthsOf(variations);
  for (const [id, hundredths] of wanted) {
    const width = Math.round((widths.get(id) ?? 0) * 10_000);
    if (hundredths <= width) continue;
    const name = nameOfVariation(flag, id);
    throw new InvalidInput(
      `${hundredths / 100} % of the users cannot be sent to the experiment with ${name}: only ${width / 100} % get it`,
    );
  }
  return variations.map((variation) => ({ ...variation, exptRollout: (wanted.get(variation.id) ?? 0) / 10_000 }));
}
