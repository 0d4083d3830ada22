import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** CPU time counter ticks a second on Linux, the same on all machines that Node supports. */
const TICKS = 100;

/** CPU time since the machine and the processes started, in ticks. */
export interface Reading {
  /** Of all programs, and of other virtual machines on the same hypervisor. */
  readonly busy: number;
  /** Of our processes and their descendants, including finished ones. */
  readonly ours: number;
  readonly atMs: number;
}

/**
 * Measures the share of this machine's CPU time that other programs use. Other virtual machines count as other programs.
 *
 * @param pids further processes of ours, such as a target on this machine
 * @returns reads the share since now, 0 to 1. Undefined without /proc
 */
export function watchOthers(pids: readonly number[] = [], read = readProcessors): () => number | undefined {
  const readNow = () => read([process.pid, ...pids]);
  const began = readNow();
  return () => {
    const now = readNow();
    if (!began || !now) return undefined;
    const available = ((now.atMs - began.atMs) / 1_000) * TICKS * cpus().length;
    const others = now.busy - began.busy - (now.ours - began.ours);
    return Math.min(1, Math.max(0, others / Math.max(1, available)));
  };
}

/** Reads /proc. @param roots processes that are ours, with their descendants @returns undefined without /proc */
export function readProcessors(roots: readonly number[]): Reading | undefined {
  try {
    const [, line = ''] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? [];
    // User time includes guest time.
    const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(' ').map(Number);
    const processes = new Map(readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : [])));
    const isOurs = (id: number): boolean => roots.includes(id) || isOursByParent(processes.get(id)?.parent);
    const isOursByParent = (parent: number | undefined) => parent !== undefined && parent > 0 && isOurs(parent);
    const ours = [...processes].reduce((sum, [id, { ticks }]) => sum + (isOurs(id) ? ticks : 0), 0);
    return { busy: user + nice + system + irq + softIrq + steal, ours, atMs: performance.now() };
  } catch {
    return undefined;
  }
}

/** A process with its ticks. The ticks of a finished process count in its parent, which has waited for it. */
function readProcess(name: string): [id: number, { readonly parent: number; readonly ticks: number }][] {
  try {
    // The name of the program, in parentheses, may contain any character.
    const [, rest = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ').map(Number);
    const ticks = fields.slice(11, 15).reduce((total, each) => total + each, 0);
    return [[Number(name), { parent: fields[1] ?? 0, ticks }]];
  } catch {
    // The process has ended.
    return [];
  }
}
