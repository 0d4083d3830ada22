import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 20_000;

/**
 * Limits each process to a share of a core, by a control group of its own. Needs root on Linux.
 *
 * @returns removes the limits. The processes must have ended or continue without one
 * @throws Error if control groups cannot be written
 */
export function limitCpu(pids: readonly number[], share: number): () => void {
  const isUnified = existsSync(join(ROOT, 'cgroup.controllers'));
  const root = isUnified ? ROOT : join(ROOT, 'cpu');
  if (isUnified) writeFileSync(join(ROOT, 'cgroup.subtree_control'), '+cpu');
  const quotaUs = Math.round(share * PERIOD_US);
  const limits = isUnified
    ? [['cpu.max', `${quotaUs} ${PERIOD_US}`]]
    : [
        ['cpu.cfs_period_us', PERIOD_US],
        ['cpu.cfs_quota_us', quotaUs],
      ];
  for (const pid of pids) {
    const group = join(root, `flagwire-${pid}`);
    mkdirSync(group);
    for (const [file, value] of [...limits, ['cgroup.procs', pid]]) writeFileSync(join(group, `${file}`), `${value}`);
  }
  return () => {
    for (const pid of pids) {
      if (existsSync(`/proc/${pid}`)) writeFileSync(join(root, 'cgroup.procs'), String(pid));
      rmdirSync(join(root, `flagwire-${pid}`));
    }
  };
}
