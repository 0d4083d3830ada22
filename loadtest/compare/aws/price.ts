import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import type { Config } from '../../../infra/config/config.ts';
import { idleCost } from '../../../infra/preflight/idleCost.ts';
import { type Estimate, gatewayItems, totalOf } from '../../runner/estimate.ts';
import type { LoadProfile } from '../../scenarios/loadProfile.ts';
import { secondsOf } from '../rounds.ts';

/**
 * US dollars an hour of the load generator, a c6i.xlarge with Linux on demand in us-east-1: an eighth of a c6i.8xlarge's 1.36, as
 * Karpenter lists AWS's prices (pkg/providers/pricing/zz_generated.pricing_aws.go, 2026-07-20).
 */
const GENERATOR_HOUR = 0.17;

/** Time between runs: Systems Manager, the archive, and CloudWatch's delay. */
const OVERHEAD_S = 120;

/** Hours to deploy and remove the stage. */
const STAGE_HOURS = 0.5;

/**
 * Computes what a comparison costs.
 *
 * @param plans of all runs
 * @param gatewayPlans of the runs against API Gateway, which charges for requests
 */
export function comparisonPrice(
  config: Config,
  region: string,
  plans: readonly LoadProfile[],
  gatewayPlans: readonly LoadProfile[],
): Estimate {
  const hours = STAGE_HOURS + secondsOf(plans, OVERHEAD_S) / 3_600;
  const items: [string, number][] = [
    [`the stacks for ${hours.toFixed(1)} h`, (idleCost(config, region).usd / MONTH_HOURS) * hours],
    [`the load generator for ${hours.toFixed(1)} h`, GENERATOR_HOUR * hours],
    ...(gatewayPlans.length > 0 ? gatewayItems(gatewayPlans) : []),
  ];
  return totalOf(items);
}
