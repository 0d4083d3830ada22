import { ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import { programOf, type Runtime } from '../../infra/hostRuntime.ts';

/** What is measured has a core for itself; the generator and the table share another. */
export const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

/** How a program of this project is started. */
interface Program {
  readonly core: number;
  /** From the project's root. */
  readonly file: string;
  readonly args?: readonly string[];
  /** What runs it; this Node by default. */
  readonly runtime?: Runtime;
  /** Its flags. */
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether what it says of itself stays off the terminal. */
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
