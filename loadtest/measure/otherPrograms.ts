import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Ticks a second in which Linux counts processor time: the same on all machines that Node runs on. */
const TICKS = 100;

/** Processor time since the machine and the processes started, in ticks. */
export interface Reading {
  /** What all programs used, and what the hypervisor gave to other machines. */
  readonly busy: number;
  /** What this process, others that were named, and their descendants used, those that ended included. */
  readonly ours: number;
  readonly atMs: number;
}

/**
 * Measures which share of this machine's processors other programs use: neither this process nor what it started. Time that a
 * hypervisor gives to other machines counts as used by others.
 */
export class OtherPrograms {
  readonly #read: () => Reading | undefined;
  readonly #began: Reading | undefined;

  /** @param pids processes that are not others either, such as a target that runs here */
  constructor(pids: readonly number[] = [], read = readProcessors) {
    this.#read = () => read([process.pid, ...pids]);
    this.#began = this.#read();
  }

  /** The share since this began, 0 to 1; undefined where there is no /proc. */
  share(): number | undefined {
    const now = this.#read();
    if (!this.#began || !now) return undefined;
    const available = ((now.atMs - this.#began.atMs) / 1_000) * TICKS * cpus().length;
    const others = now.busy - this.#began.busy - (now.ours - this.#began.ours);
    return Math.min(1, Math.max(0, others / Math.max(1, available)));
  }
}

/** Reads /proc. @param roots processes that are ours with their descendants @returns undefined where there is no /proc */
export function readProcessors(roots: readonly number[]): Reading | undefined {
  try {
    return { ...readMachine(), ours: readTrees(roots), atMs: performance.now() };
  } catch {
    return undefined;
  }
}

function readMachine() {
  const [, line = ''] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
  // Guest time is part of user time.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(' ').map(Number);
  return { busy: user + nice + system + irq + softIrq + steal };
}

/** Ticks of processes and their descendants. One that has ended counts in its parent, which has waited for it. */
function readTrees(roots: readonly number[]): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  const children = Map.groupBy(processes, ({ parent }) => parent);
  const ticks = new Map(processes.map((each) => [each.id, each.ticks]));
  const ours = new Set<number>();
  const add = (id: number) => {
    if (ours.has(id)) return;
    ours.add(id);
    for (const child of children.get(id) ?? []) add(child.id);
  };
  for (const root of roots) add(root);
  return [...ours].reduce((total, id) => total + (ticks.get(id) ?? 0), 0);
}

function readProcess(name: string): { readonly id: number; readonly parent: number; readonly ticks: number }[] {
  try {
    // The name of the program, in parentheses, may hold anything.
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const ticks = fields.slice(11, 15).reduce((total, each) => total + each, 0);
    return [{ id: Number(name), parent: fields[1] ?? 0, ticks }];
  } catch {
    // It ended meanwhile.
    return [];
  }
}
