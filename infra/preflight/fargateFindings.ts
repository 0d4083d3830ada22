import type { Fargate } from '../config/fargate.ts';
import type { Finding } from './finding.ts';
import { type AccountLimits, QUOTAS, type Quota, requestFor } from './quotas.ts';

/**
 * Compares the vCPUs that tasks need with the account's quota: for the minimum of tasks, and for twice the maximum, because a
 * deployment starts new tasks next to old ones. Other tasks in the account are unknown.
 */
export function fargateFindings(fargate: Fargate | undefined, limits: AccountLimits): Finding[] {
  if (!fargate) return [];
  const spot = fargate.spotPercent / 100;
  return [
    ...findingsOf('on demand', QUOTAS.fargateVcpus, limits.fargateVcpus, 1 - spot, fargate, limits.region),
    ...findingsOf('on Spot', QUOTAS.spotVcpus, limits.spotVcpus, spot, fargate, limits.region),
  ];
}

function findingsOf(
  how: string,
  quota: Quota,
  available = Number.POSITIVE_INFINITY,
  share: number,
  { count, maximum, vcpu }: Fargate,
  region: string,
): Finding[] {
  const processors = (tasks: number) => Math.ceil(tasks * share) * vcpu;
  const needed = processors(2 * maximum);
  if (available >= needed) return [];
  const isRefused = available < processors(count);
  const [what, why] = isRefused
    ? [`${count} tasks`, `they need ${processors(count)} vCPUs ${how}`]
    : ['all tasks', `a deployment needs up to ${needed} vCPUs ${how} while it replaces ${maximum} tasks`];
  const wayOut = `lower fargate.vcpu or fargate.${isRefused ? 'count' : 'maximum'}, or ${requestFor(quota, Math.ceil(needed), region)}`;
  return [
    {
      isRefused,
      text: `Fargate will not start ${what}: ${why}, and the account's quota is ${available}. Way out: ${wayOut}`,
    },
  ];
}
