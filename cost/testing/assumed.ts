import type { Ranges } from '../model/report/compare.ts';
import type { Assumptions } from '../model/workload/assumptions.ts';

/** Round numbers, so that bills can be worked by hand. */
export const assumed: Assumptions = {
  connectMs: 10,
  syncMs: 20,
  disconnectMs: 10,
  httpMs: 10,
  publishMs: 20,
  deliverMs: 20,
  healMs: 10,
  postMs: 1,
  coldShare: 0,
  coldMs: 500,
  connectLogBytes: 600,
  syncLogBytes: 600,
  disconnectLogBytes: 600,
  httpLogBytes: 600,
  publishLogBytes: 600,
  deliverLogBytes: 600,
  healLogBytes: 0,
  accessLogBytes: 300,
  readersPerChange: 2,
  clientFlagBytes: 400,
  frameBytes: 128,
  handshakeBytes: 4_000,
  compressedShare: 0.5,
  eventsPerRequest: 10,
  eventBytes: 400,
  // 18,000 connections in a GiB without flags, and 40,632 in two.
  hostBytes: 85_306_368,
  connectionBytes: 40_000,
  documentFactor: 1,
  t2CoreFactor: 2,
  fargateCoreFactor: 1,
  idleCores: 0.01,
  pollCoreMs: 0.5,
  pingCoreMs: 0.02,
  syncCoreMs: 0.3,
  pushCoreMs: 0.02,
  requestCoreMs: 0.5,
};

/** The same, and all of it a little cheaper and dearer. */
export const ranges: Ranges = {
  expected: assumed,
  low: { ...assumed, syncMs: 10, connectionBytes: 20_000, frameBytes: 70 },
  high: { ...assumed, syncMs: 60, connectionBytes: 80_000, frameBytes: 200 },
};
