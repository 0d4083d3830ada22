import type { Config } from '../config/config.ts';
import type { Finding } from './finding.ts';
import { type AccountLimits, QUOTAS, requestFor } from './quotas.ts';

/** Below this value, an account has less than AWS's documented defaults. */
const FEW_EXECUTIONS = 100;

/**
 * Limits of the account that a deployment reaches only under load, and vCPUs without which its tasks never start. Unread limits are
 * skipped. Tasks need vCPUs for twice their maximum, because a deployment starts new tasks next to old ones. Other tasks in the account
 * are unknown.
 */
export function findingsFor({ fargate }: Pick<Config, 'fargate'>, limits: AccountLimits): Finding[] {
  const { region, concurrency = Number.POSITIVE_INFINITY, fargateVcpus = Number.POSITIVE_INFINITY } = limits;
  const findings: Finding[] = [];
  if (concurrency < FEW_EXECUTIONS) {
    findings.push({
      isRefused: false,
      text: `More than ${concurrency} calls at once will not work: Lambda refuses further handshakes and data-syncs, and SDKs wait for flags. Request more: ${requestFor(QUOTAS.concurrency, 1_000, region)}`,
    });
  }
  const vcpusOf = (tasks = 0) => (fargate ? Math.ceil(tasks * (1 - fargate.spotPercent / 100)) * fargate.vcpu : 0);
  const vcpus = vcpusOf(2 * (fargate?.maximum ?? 0));
  if (vcpus > fargateVcpus) {
    findings.push({
      isRefused: vcpusOf(fargate?.count) > fargateVcpus,
      text: `Fargate will not start all tasks: a deployment needs up to ${vcpus} vCPUs on demand while it replaces ${fargate?.maximum} tasks, and the account's quota is ${fargateVcpus}. Lower fargate.vcpu, fargate.count or fargate.maximum, or request more: ${requestFor(QUOTAS.fargateVcpus, Math.ceil(vcpus), region)}`,
    });
  }
  return findings;
}

/** The number of concurrent deliveries that leaves most concurrent executions to handshakes and data-syncs. Lambda's minimum is two. */
export function fittingDeliveries(concurrency: number): number {
  return Math.max(2, Math.floor(concurrency * 0.4));
}
