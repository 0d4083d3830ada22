import { makeFlags, ofrepRequests, type Peer } from '../peer.ts';
import { startProgram, whyMissing } from '../program.ts';

const path = process.env['GO_FEATURE_FLAG_RELAY'] ?? 'go-feature-flag-relay';

/** GO Feature Flag's relay proxy, with a file of flags. */
export const goFeatureFlag: Peer = {
  entry: 'go-feature-flag',
  name: 'GO Feature Flag’s relay',
  role: 'peer',
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
