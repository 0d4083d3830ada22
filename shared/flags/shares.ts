import type { Flag, Variation } from './flag.ts';
import { InvalidInput, InvalidSyntax } from './invalidInput.ts';
import type { Rollout, RolloutVariation } from './rule.ts';

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

/** Finds a variation by its name, value or id. @throws {InvalidInput} with the existing variations */
export function findVariation(flag: Flag, named: string): Variation {
  const found = flag.variations.find(({ id, name, value }) => named === id || named === name || named === value);
  if (found) return found;
  const known = flag.variations.map(nameOfVariation).join(', ');
  throw new InvalidInput(`flag "${flag.key}" has no variation "${named}"; its variations are: ${known}`);
}

/** The display name of a variation. */
export function nameOfVariation({ name, value }: Variation): string {
  return name ?? value;
}

/** A rollout that serves one variation to all users. */
export function everybody(variationId: string): RolloutVariation[] {
  return [{ id: variationId, rollout: [0, 1], exptRollout: 1 }];
}

/** Changes the rollout of a flag's rule or default. @throws {InvalidInput} */
export function changedRollout<R extends Rollout>(flag: Flag, rollout: R, change: RolloutChange): R {
  const { shares = [], by, experiment = [] } = change;
  const variations = shares.length === 0 ? rollout.variations : readShares(flag, shares);
  return {
    ...rollout,
    ...(by === undefined ? {} : { dispatchKey: by }),
    ...(experiment.length === 0 ? {} : { includedInExpt: true }),
    variations: experiment.length === 0 ? variations : withExperiment(flag, variations, experiment),
  };
}

/**
 * A rollout as the CLI takes it: `true=10 false=90`, or `true` if all users get one variation.
 *
 * @param formatWhole the text of a variation that all users get
 */
export function formatShares(
  flag: Pick<Flag, 'variations'>,
  { variations }: Pick<Rollout, 'variations'>,
  formatShare = (name: string, percent: number) => `${name}=${percent}`,
  separator = ' ',
  formatWhole = (name: string) => name,
): string {
  const nameOf = (id: string) => {
    const variation = flag.variations.find((candidate) => candidate.id === id);
    return variation ? nameOfVariation(variation) : id;
  };
  const [only] = variations;
  if (only && !isSplit(variations)) return formatWhole(nameOf(only.id));
  return variations
    .map(({ id, rollout: [lower, upper] }) => formatShare(nameOf(id), Math.round((upper - lower) * 10_000) / 100))
    .join(separator);
}

/** Whether a rollout serves other than one variation to all users. */
export function isSplit([only, ...others]: readonly Pick<RolloutVariation, 'rollout'>[]): boolean {
  return only === undefined || others.length > 0 || only.rollout[0] !== 0 || only.rollout[1] !== 1;
}

/** Percentages as cumulative ranges. It adds whole hundredths of a percent to avoid rounding errors. */
function readShares(flag: Flag, shares: readonly string[]): RolloutVariation[] {
  const [only = ''] = shares;
  if (shares.length === 1 && isVariation(flag, only)) return everybody(findVariation(flag, only).id);
  let upTo = 0;
  const ranges = shares.map((share): RolloutVariation => {
    const [id, hundredths] = readShare(flag, share);
    const from = upTo;
    upTo += hundredths;
    return { id, rollout: [from / 10_000, upTo / 10_000], exptRollout: 1 };
  });
  if (upTo !== 10_000) throw new InvalidSyntax(`the shares sum to ${upTo / 100} %; they must sum to 100 %`);
  return ranges.filter(({ rollout: [lower, upper] }) => upper > lower);
}

function isVariation(flag: Flag, named: string): boolean {
  return flag.variations.some(({ id, name, value }) => named === id || named === name || named === value);
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
  const wanted = new Map(texts.map((text) => readShare(flag, text)));
  for (const [id, hundredths] of wanted) {
    const width = variations
      .filter((variation) => variation.id === id)
      .reduce((sum, { rollout: [lower, upper] }) => sum + Math.round((upper - lower) * 10_000), 0);
    if (hundredths <= width) continue;
    const name = flag.variations.filter((variation) => variation.id === id).map(nameOfVariation)[0];
    throw new InvalidInput(
      `${hundredths / 100} % of the users cannot be sent to the experiment with ${name}: only ${width / 100} % get it`,
    );
  }
  return variations.map((variation) => ({ ...variation, exptRollout: (wanted.get(variation.id) ?? 0) / 10_000 }));
}
