import { heapStats } from 'bun:jsc';
import { answerRequests } from '../../../dev/support/ipc.ts';

/* The host loads this module before its own code, for `soak`. */
const requests = {
  /** Collects all garbage. @returns the remaining bytes of heap */
  collect: (_: null): number => {
    Bun.gc(true);
    return heapStats().heapSize;
  },
};
export type CollectRequests = typeof requests;
answerRequests(requests);
