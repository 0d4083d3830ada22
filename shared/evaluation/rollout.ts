import type { Rollout } from '../flags/rule.ts';
import type { User } from '../flags/user.ts';
import { attributeReader } from './attribute.ts';
import { bucketOf, isDecided, isInRollout, takes } from './bucket.ts';
import type { Outcome, OutcomeFactory } from './outcome.ts';

/** What of a flag its rollouts depend on. */
export interface RolloutContext {
  readonly flagKey: string;
  readonly exptIncludeAllTargets: boolean;
  readonly outcomes: OutcomeFactory;
}

/**
 * Compiles a rollout: the first variation whose share takes the user's bucket, or an empty variation when none does.
 * The key of the bucket is the flag's key followed by the dispatch attribute, with nothing between them.
 *
 * @param reason what SDKs are told: the rule's name or `default`
 */
export function compileRollout(rollout: Rollout, reason: string, context: RolloutContext): (user: User) => Outcome {
  const { flagKey, exptIncludeAllTargets, outcomes } = context;
  const read = attributeReader(rollout.dispatchKey?.trim() ? rollout.dispatchKey : 'keyId');
  const nobody = outcomes.of('', '', reason, exptIncludeAllTargets);
  const shares = rollout.variations.map((variation) => ({
    range: variation.rollout,
    plain: outcomes.forVariation(variation.id, reason, false),
    experiment: outcomes.forVariation(variation.id, reason, true),
    sampled: experimentShare(rollout, variation.rollout, variation.exptRollout, exptIncludeAllTargets),
  }));

  const needsBucket = shares.some(({ range }) => !isDecided(range));

  return (user) => {
    const key = flagKey + (read(user) ?? '');
    const bucket = needsBucket ? bucketOf(key) : 0;
    for (const { range, sampled, experiment, plain } of shares) {
      if (takes(range, bucket)) return isInRollout(`expt${key}`, [0, sampled]) ? experiment : plain;
    }
    return nobody;
  };
}

/**
 * The share of a variation's users that is sent to the experiment: all when the flag includes all targets, none when
 * the rule is left out or the share is empty, else the sampled fraction widened by the share's own width.
 */
function experimentShare(
  rollout: Rollout,
  [lower, upper]: readonly [number, number],
  exptRollout: number,
  includeAll: boolean,
): number {
  if (includeAll) return 1;
  const width = upper - lower;
  if (!rollout.includedInExpt || width === 0 || exptRollout === 0) return 0;
  return Math.min(exptRollout / width, 1);
}
