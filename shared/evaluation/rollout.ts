import type { Flag } from '../flags/flag.ts';
import { ROLLOUT_TOLERANCE, type Rollout, type RolloutVariation } from '../flags/rule.ts';
import { isBlank } from '../flags/user.ts';
import { attributeReader } from './attribute.ts';
import { bucketOf, includesAllOrNone, includesBucket, type Share } from './bucket.ts';
import { type EvaluationReason, Outcome, outcomeOfVariation, type VariationSelector } from './outcome.ts';

/** A variation's share of a rollout. */
interface CompiledShare {
  readonly range: Share;
  readonly outcome: Outcome;
  /** The part of its users sent to the experiment, unless all or none. */
  readonly sampled: { readonly range: Share; readonly outcome: Outcome } | undefined;
}

/**
 * Compiles a rollout. It selects the first variation whose share includes the user's bucket, or an empty variation if
 * there is none. The bucket's key is the flag's key followed directly by the dispatch attribute. If no share depends on
 * that key, one outcome is shared by all users.
 *
 * @param why the rule or default of this rollout
 */
export function compileRollout(rollout: Rollout, why: EvaluationReason, flag: Flag): VariationSelector {
  const variations = reachable(rollout.variations);
  const isSplit = variations.some((variation) => !includesAllOrNone(variation.rollout));
  const drawn: EvaluationReason = isSplit ? { ...why, cause: 'split' } : why;
  const shares = variations.map((variation) => compileShare(variation, rollout, drawn, flag));
  const empty = { variationId: '', value: '', ...drawn, sendToExperiment: flag.exptIncludeAllTargets };
  const outside = new Outcome(flag, empty);
  const needsBucket = shares.some(({ range }) => !includesAllOrNone(range));
  const outcomeOf = (key: string): Outcome => {
    const bucket = needsBucket ? bucketOf(key) : 0;
    for (const { range, outcome, sampled } of shares) {
      if (!includesBucket(range, bucket)) continue;
      return sampled && includesBucket(sampled.range, bucketOf(`expt${key}`)) ? sampled.outcome : outcome;
    }
    return outside;
  };
  if (!needsBucket && shares.every(({ sampled }) => !sampled)) return outcomeOf('');
  const property = rollout.dispatchKey ?? '';
  const read = attributeReader(isBlank(property) ? 'keyId' : property);
  // The outcome of a user without a key id, if all users have the same variation. An experiment selects users by key.
  const withoutKey = commonOutcome(shares);
  return {
    outcomeFor: (user) => (user.keyId === '' && withoutKey) || outcomeOf(flag.key + (read(user) ?? '')),
  };
}

/** The outcome of the only variation, if its shares include all users. */
function commonOutcome(shares: readonly CompiledShare[]): Outcome | undefined {
  const wide = shares.filter(({ range: [lower, upper] }) => upper > lower);
  const covered = wide.reduce((end, { range: [lower, upper] }) => (lower <= end ? Math.max(end, upper) : end), 0);
  const isOne = new Set(wide.map(({ outcome }) => outcome.variationId)).size === 1;
  return isOne && 1 - covered < ROLLOUT_TOLERANCE ? wide[0]?.outcome : undefined;
}

/** The shares up to the first that includes all buckets. Later ones never apply. */
function reachable(variations: readonly RolloutVariation[]): readonly RolloutVariation[] {
  const last = variations.findIndex(({ rollout }) => includesAllOrNone(rollout) && includesBucket(rollout, 0));
  return last === -1 ? variations : variations.slice(0, last + 1);
}

function compileShare(variation: RolloutVariation, rollout: Rollout, why: EvaluationReason, flag: Flag): CompiledShare {
  const sample = sampleOf(variation, rollout.includedInExpt, flag.exptIncludeAllTargets);
  const outcome = (isSent: boolean) => outcomeOfVariation(flag, variation.id, why, isSent);
  return includesAllOrNone(sample)
    ? { range: variation.rollout, outcome: outcome(includesBucket(sample, 0)), sampled: undefined }
    : { range: variation.rollout, outcome: outcome(false), sampled: { range: sample, outcome: outcome(true) } };
}

/**
 * The share of a variation's users sent to the experiment. It is all if the flag includes all targets. It is none if
 * the rule is excluded or the share is empty. Otherwise, it is the sampled fraction divided by the share's width.
 */
function sampleOf({ rollout, exptRollout }: RolloutVariation, isIncluded: boolean, includeAll: boolean): Share {
  if (includeAll) return [0, 1];
  const width = rollout[1] - rollout[0];
  return isIncluded && width !== 0 && exptRollout !== 0 ? [0, Math.min(exptRollout / width, 1)] : [0, 0];
}
