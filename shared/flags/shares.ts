import type { Flag, Variation } from './flag.ts';
import { InvalidInput } from './invalidInput.ts';
import type { Rollout, RolloutVariation } from './rule.ts';

/** How a rollout is to be changed; what is left out stays as it is. */
export interface RolloutChange {
  /** Variations with percentages that sum to 100 (`true=10`), or one variation for everybody (`true`); none: as they are. */
  readonly shares?: readonly string[];
  /** Attribute that places users in buckets. */
  readonly by?: string | undefined;
  /** Percentages of the users, by variation, that are sent to the experiment (`true=5`); those of others become 0. */
  readonly experiment?: readonly string[];
}

/** A variation by its name, value or id. @throws {InvalidInput} naming the variations that exist */
export function findVariation(flag: Flag, named: string): Variation {
  const found = flag.variations.find(({ id, name, value }) => named === id || named === name || named === value);
  if (found) return found;
  const known = flag.variations.map(nameOfVariation).join(', ');
  throw new InvalidInput(`flag "${flag.key}" has no variation "${named}"; its variations are: ${known}`);
}

/** What people call a variation. */
export function nameOfVariation({ name, value }: Variation): string {
  return name ?? value;
}

/** A rollout that gives everybody one variation. */
export function everybody(variationId: string): RolloutVariation[] {
  return [{ id: variationId, rollout: [0, 1], exptRollout: 1 }];
}

/** Changes a rollout of a flag: of a rule, or of the fallthrough. @throws {InvalidInput} */
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

/** A rollout as people write it: `true=10 false=90`, or `true` where everybody gets one variation. */
export function formatShares(flag: Flag, { variations }: Pick<Rollout, 'variations'>): string {
  const nameOf = (id: string) => {
    const variation = flag.variations.find((candidate) => candidate.id === id);
    return variation ? nameOfVariation(variation) : id;
  };
  const [only] = variations;
  if (only && variations.length === 1 && only.rollout[0] === 0 && only.rollout[1] === 1) return nameOf(only.id);
  return variations
    .map(({ id, rollout: [lower, upper] }) => `${nameOf(id)}=${Math.round((upper - lower) * 10_000) / 100}`)
    .join(' ');
}

/** Percentages as cumulative ranges: whole hundredths of a percent are added, so that there is no rounding error. */
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
  if (upTo !== 10_000) throw new InvalidInput(`the shares sum to ${upTo / 100} %; they must sum to 100 %`);
  return ranges.filter(({ rollout: [lower, upper] }) => upper > lower);
}

function isVariation(flag: Flag, named: string): boolean {
  return flag.variations.some(({ id, name, value }) => named === id || named === name || named === value);
}

/** A variation's id, and its share in hundredths of a percent. */
function readShare(flag: Flag, share: string): [id: string, hundredths: number] {
  const at = share.lastIndexOf('=');
  if (at >= 0 && /^\d+[.]\d{3,}%?$/.test(share.slice(at + 1))) {
    throw new InvalidInput(`"${share}" has too many decimals; a percentage takes at most 2, such as true=33.33`);
  }
  const [, percent] = /^(\d+(?:\.\d{1,2})?)%?$/.exec(share.slice(at + 1)) ?? [];
  if (at < 0 || percent === undefined) {
    throw new InvalidInput(
      `"${share}" is not a share; write a variation and a percentage, such as true=10 or true=12.5`,
    );
  }
  return [findVariation(flag, share.slice(0, at)).id, Math.round(Number(percent) * 100)];
}

/** FeatBit counts a share of the experiment in percent of all users of the rollout, not of those who get the variation. */
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
      `${hundredths / 100} % of the users cannot be sent to the experiment with ${name}: ${width / 100} % get it`,
    );
  }
  return variations.map((variation) => ({ ...variation, exptRollout: (wanted.get(variation.id) ?? 0) / 10_000 }));
}
