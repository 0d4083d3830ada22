import type { Ask } from '../../dev/support/ipc.ts';
import { ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import type { FunctionRequests } from './functionInstance.ts';

/** An instance of a function, in its own process. */
export interface FunctionProcess {
  readonly call: (input: Parameters<FunctionRequests['call']>[0]) => ReturnType<FunctionRequests['call']>;
  readonly stop: () => Promise<unknown>;
}

/** Starts an instance and loads its bundle. */
export async function startFunction(bundle: string, environment: NodeJS.ProcessEnv): Promise<FunctionProcess> {
  const options = { environment, stdout: 'ignore', stderr: 'inherit', hasIpc: true } as const;
  const process = new RunningProcess(ofRepository('loadtest/bench/functionInstance.ts'), options);
  const ask: Ask<FunctionRequests> = process.requests();
  await ask('load', bundle);
  return { call: (input) => ask('call', input), stop: () => process.stop() };
}
