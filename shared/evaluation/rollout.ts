import type { Rollout, RolloutVariation } from '../flags/rule.ts';
import type { User } from '../flags/user.ts';
import { attributeReader } from './attribute.ts';
import { bucketOf, isDecided, type Share, takes } from './bucket.ts';
import type { Outcome, OutcomeFactory } from './outcome.ts';

/** What of a flag its rollouts depend on. */
export interface RolloutContext {
  readonly flagKey: string;
  readonly exptIncludeAllTargets: boolean;
  readonly outcomes: OutcomeFactory;
}

/**
 * Compiles a rollout: the first variation whose share takes the user's bucket, or an empty variation when none does.
 * The key of the bucket is the flag's key followed by the dispatch attribute, with nothing between them. Where no
 * share depends on a bucket, the outcome is the same for everybody and is found now.
 *
 * @param reason what SDKs are told: the rule's name or `default`
 */
export function compileRollout(rollout: Rollout, reason: string, context: RolloutContext): (user: User) => Outcome {
  const { flagKey, exptIncludeAllTargets, outcomes } = context;
  const nobody = outcomes.of('', '', reason, exptIncludeAllTargets);
  const shares = reachable(rollout.variations).map((variation) => ({
    range: variation.rollout,
    sample: sampleOf(variation, rollout.includedInExpt, exptIncludeAllTargets),
    sent: outcomes.forVariation(variation.id, reason, true),
    kept: outcomes.forVariation(variation.id, reason, false),
  }));
  const needsBucket = shares.some(({ range }) => !isDecided(range));

  const outcomeOf = (key: string): Outcome => {
    const bucket = needsBucket ? bucketOf(key) : 0;
    for (const share of shares) {
      if (takes(share.range, bucket)) return isSent(key, share.sample) ? share.sent : share.kept;
    }
    return nobody;
  };
  if (!needsBucket && shares.every(({ sample }) => isDecided(sample))) {
    const outcome = outcomeOf('');
    return () => outcome;
  }
  const read = attributeReader(rollout.dispatchKey?.trim() ? rollout.dispatchKey : 'keyId');
  return (user) => outcomeOf(flagKey + (read(user) ?? ''));
}

/** The shares up to the first that takes everybody: those behind it are never come to. */
function reachable(variations: readonly RolloutVariation[]): readonly RolloutVariation[] {
  const last = variations.findIndex(({ rollout }) => isDecided(rollout) && takes(rollout, 0));
  return last === -1 ? variations : variations.slice(0, last + 1);
}

/**
 * The share of a variation's users that is sent to the experiment: all when the flag includes all targets, none when
 * the rule is left out or the variation's share is empty, else the sampled fraction widened by that share's width.
 */
function sampleOf({ rollout, exptRollout }: RolloutVariation, isIncluded: boolean, includeAll: boolean): Share {
  if (includeAll) return [0, 1];
  const width = rollout[1] - rollout[0];
  return isIncluded && width !== 0 && exptRollout !== 0 ? [0, Math.min(exptRollout / width, 1)] : [0, 0];
}

/** Whether a sample takes a user; it has a bucket of its own for that. */
function isSent(key: string, sample: Share): boolean {
  return takes(sample, isDecided(sample) ? 0 : bucketOf(`expt${key}`));
}
