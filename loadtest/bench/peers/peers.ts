import { bare } from './entries/bare.ts';
import { flagwire } from './entries/flagwire.ts';
import { goFeatureFlag } from './entries/goFeatureFlag.ts';
import { unleashEdge } from './entries/unleashEdge.ts';
import type { Peer } from './peer.ts';

/** The reference of all multiples. Each run measures it. */
export const BARE_BUN = bare('bare-bun', 'bare Bun', 'this benchmark, `loadtest/testbed/reference.ts`');
/** The server that peers are compared with. */
export const OURS = flagwire('flagwire-bun', 'Flagwire, host on Bun', 'host');

/** All servers, in the order of the page. */
export const PEERS: readonly Peer[] = [
  OURS,
  flagwire('flagwire-node', 'Flagwire, host on Node', 'host on Node'),
  unleashEdge,
  goFeatureFlag,
  BARE_BUN,
  bare('bare-ws', 'bare ws', 'this benchmark, `loadtest/testbed/reference.ts`, npm package `ws`'),
];
