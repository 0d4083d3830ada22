import { makeFlags, ofrepRequests, type Peer } from '../peer.ts';
import { POLL_SECONDS, startProgram, whyMissing } from '../program.ts';

const path = process.env['GO_FEATURE_FLAG_RELAY'] ?? 'go-feature-flag-relay';
const NO_PUSH = 'Its WebSocket and event streams are not measured. Clients of OFREP poll.';

/** GO Feature Flag's relay proxy, with a file of flags. */
export const goFeatureFlag: Peer = {
  entry: 'go-feature-flag',
  name: 'GO Feature Flag’s relay',
  role: 'peer',
  build: 'from the sources of `cmd/relayproxy`, with Go 1.26',
  settings: [
    'GOMAXPROCS=1. The flags come from a file. It checks no key, and exports no evaluations.',
    'Evaluations are OFREP’s. A new client connects, gets all flags and disconnects.',
    `An idle client connects every ${POLL_SECONDS} s, asks with its ETag and gets a 304.`,
  ],
  blank: {
    idleMemoryBytes: 'A client of OFREP holds no connection between two polls.',
    ...{ changeMedianMs: NO_PUSH, changeSlowestMs: NO_PUSH, changeBytes: NO_PUSH },
  },
  missing: () => whyMissing(path, 'GO_FEATURE_FLAG_RELAY'),
  start: async (_, count) => {
    const { address, ...started } = await startProgram(
      (file, port) => [
        'env',
        'GOMAXPROCS=1',
        `SERVER_PORT=${port}`,
        'RETRIEVERS_0_KIND=file',
        `RETRIEVERS_0_PATH=${file}`,
        path,
      ],
      Object.fromEntries(makeFlags(count, makeFlag)),
      '/health',
    );
    const { headers } = await fetch(`${address}/health`);
    return { ...started, ...ofrepRequests(), version: headers.get('x-gofeatureflag-version') ?? 'unknown' };
  },
};

function makeFlag(name: string, percent: number) {
  const defaultRule = { percentage: { on: percent, off: 100 - percent } };
  return [
    name,
    { variations: { on: true, off: false }, defaultRule: percent === 100 ? { variation: 'on' } : defaultRule },
  ];
}
