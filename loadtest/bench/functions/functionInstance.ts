import { performance } from 'node:perf_hooks';
import { answerRequests } from '../../../dev/support/ipc.ts';
import { readUsage } from '../../../dev/support/usage.ts';

/** The maximum time of a call in milliseconds. */
const TIMEOUT_MS = 60_000;

/** The mean cost of a call. */
export interface CallCost {
  readonly wallMs: number;
  /** CPU time of the process. */
  readonly cpuMs: number;
  readonly logBytes: number;
  /** Maximum resident set of the process so far, without that of its parent, which `resourceUsage` includes. */
  readonly memoryMb: number;
  /** Bytes of the body of the last response. */
  readonly answerBytes?: number;
}

type Handler = (event: object, context: object) => Promise<{ body?: string } | undefined>;

/* An instance of a function: loads its bundle, and calls it when its parent asks. */
let logBytes = 0;
process.stdout.write = ((chunk: string | Uint8Array) => {
  logBytes += Buffer.byteLength(chunk);
  return true;
}) as typeof process.stdout.write;
let handler: Handler;

const requests = {
  load: async (bundle: string): Promise<void> => {
    ({ handler } = await import(bundle));
  },
  /** Calls the function with each event in sequence. */
  call: async (events: readonly object[]): Promise<CallCost> => {
    logBytes = 0;
    const before = { at: performance.now(), cpu: process.cpuUsage() };
    let answerBytes: number | undefined;
    for (const event of events) {
      const startedAt = performance.now();
      const getRemainingTimeInMillis = () => TIMEOUT_MS - (performance.now() - startedAt);
      const answer = await handler(event, { getRemainingTimeInMillis, functionName: 'bench', awsRequestId: 'bench' });
      if (answer?.body) answerBytes = Buffer.byteLength(answer.body);
    }
    const { user, system } = process.cpuUsage(before.cpu);
    return {
      wallMs: (performance.now() - before.at) / events.length,
      cpuMs: (user + system) / 1_000 / events.length,
      logBytes: logBytes / events.length,
      memoryMb: readUsage(process.pid).peakResident / 1_048_576,
      ...(answerBytes !== undefined && { answerBytes }),
    };
  },
};
export type FunctionRequests = typeof requests;
answerRequests(requests);
