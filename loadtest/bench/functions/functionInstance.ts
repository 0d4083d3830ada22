import { performance } from 'node:perf_hooks';
import { answerRequests } from '../../dev/support/ipc.ts';

/** The time that a call may take, in milliseconds. */
const TIMEOUT_MS = 60_000;

/** What the calls took, on average. */
export interface CallCost {
  readonly wallMs: number;
  /** Processor time of the process. */
  readonly cpuMs: number;
  readonly logBytes: number;
  /** Bytes of the last body that it answered with. */
  readonly answerBytes?: number;
}

type Handler = (event: object, context: object) => Promise<{ body?: string } | undefined>;

/* An instance of a function: loads its bundle, then makes the calls that its parent asks for. */
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
  /** Calls the function with events, one after another. */
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
      ...(answerBytes !== undefined && { answerBytes }),
    };
  },
};
export type FunctionRequests = typeof requests;
answerRequests(requests);
