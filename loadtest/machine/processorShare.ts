import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup/cpu';
const PERIOD_US = 100_000;

/** A control group whose processes together get a share of one processor. */
export interface ProcessorShare {
  /** Puts a process, and what it starts from then on, into the group. */
  add(pid: number): void;
  /** Removes the group, once its processes have ended. */
  close(): void;
}

/**
 * Makes a group that gets a share of a processor, by the kernel's own scheduler (control groups, version 1).
 *
 * @param share 1 is a whole processor
 * @returns why it is not possible, where it is not
 */
export function shareOfProcessor(share: number): ProcessorShare | string {
  if (!existsSync(join(ROOT, 'cpu.cfs_quota_us'))) return `${ROOT} has no control groups of version 1`;
  const group = join(ROOT, `flagwire-${process.pid}`);
  const set = (file: string, value: number) => writeFileSync(join(group, file), String(value));
  try {
    mkdirSync(group);
    set('cpu.cfs_period_us', PERIOD_US);
    set('cpu.cfs_quota_us', Math.round(PERIOD_US * share));
  } catch (error) {
    return `${group} cannot be made: ${(error as Error).message}`;
  }
  return { add: (pid) => set('cgroup.procs', pid), close: () => rmdirSync(group) };
}
