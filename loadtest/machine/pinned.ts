import { ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import { programOf, type Runtime } from '../../infra/hostRuntime.ts';

/** The server has its own core. The load generator and the table share another. */
export const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

/** A program of this project. */
interface Program {
  readonly core: number;
  /** From the project's root. */
  readonly file: string;
  readonly args?: readonly string[];
  /** By default, this Node. */
  readonly runtime?: Runtime;
  /** Flags of the runtime. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** True if its error output stays off the terminal. */
  readonly isQuiet?: boolean;
}

/** Starts a program of this project on one core, with an IPC channel. */
export function startPinned(program: Program): RunningProcess {
  const { core, file, args, runtime = 'node', flags = [], environment, isQuiet = false } = program;
  return new RunningProcess(ofRepository(file, args, programOf(runtime), ...flags), {
    core,
    environment: { ...process.env, ...environment },
    stderr: isQuiet ? 'pipe' : 'inherit',
    hasIpc: true,
  });
}
