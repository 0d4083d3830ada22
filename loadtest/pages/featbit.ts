/**
 * FeatBit's evaluation server, built from its sources, and our host beside it, on 2026-11-21: FeatBit at 366b4a1, Flagwire at 25d2182
 * on Bun, two cores of an AMD EPYC, one of them the server's. Each list is the rounds, in turn.
 */
export const SOURCE_BUILD = {
  cold: {
    /** Percent of a core. */
    processor: { featbit: [93, 91, 94], ours: [47, 48, 45] },
    /** Milliseconds. */
    syncP50: { featbit: [2.2, 0.5, 0.7], ours: [2.5, 2.5, 2.5] },
    syncP99: { featbit: [191, 47, 105], ours: [9.9, 9.5, 14] },
    connectToReplyP99: { featbit: [402, 134, 239], ours: [16, 14, 19] },
  },
  held: {
    connections: 17_600,
    processor: { featbit: [10], ours: [4.4] },
    /** Resident megabytes, before anybody connected and with all connections. */
    idleMb: { featbit: [62], ours: [70] },
    mb: { featbit: [351], ours: [143] },
  },
  /** New connections a second, by how many are on their way. */
  saturation: {
    64: { featbit: [1_596, 1_733, 1_669], ours: [7_868, 6_255, 6_877] },
    256: { featbit: [1_721, 1_854], ours: [7_322, 7_214] },
  },
  saturatedSyncP99: { featbit: [178, 192], ours: [52, 56] },
  /** Full syncs a second of 3,000 flags (4.6 MB), ten at a time, and the median of one at a time in milliseconds. */
  server: { perSecond: { featbit: [12, 13, 12], ours: [82, 64, 103] }, oneMs: { featbit: [86], ours: [16] } },
} as const;

/** A share of the server's core, and 1,000 new connections a second from cold on it. */
export const SLOWER_CORE = [
  { share: 70, featbit: '1,000, P99 221 ms, all of its share', ours: '1,000, P99 29 ms, 51 % of a core' },
  { share: 50, featbit: '705, P99 4,110 ms', ours: '1,000, P99 54 ms' },
] as const;
