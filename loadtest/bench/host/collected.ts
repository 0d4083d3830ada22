import { heapStats } from 'bun:jsc';
import { answerRequests } from '../../../dev/support/ipc.ts';

/* Loaded by the host before its own code, for `soak`. */
const requests = {
  /** Collects all garbage. @returns bytes of heap that are left */
  collect: (_: null): number => {
    Bun.gc(true);
    return heapStats().heapSize;
  },
};
export type CollectRequests = typeof requests;
answerRequests(requests);
