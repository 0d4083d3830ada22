import { bareBun } from './entries/bareBun.ts';
import { featbit } from './entries/featbit.ts';
import { flagwire } from './entries/flagwire.ts';
import { goFeatureFlag } from './entries/goFeatureFlag.ts';
import { unleashEdge } from './entries/unleashEdge.ts';
import type { Peer } from './peer.ts';

/** The reference of all multiples. Each run measures it. */
export const REFERENCE = bareBun;
/** The server that peers are compared with. */
export const OURS = flagwire;

/** All servers, in the order of the page. */
export const PEERS: readonly Peer[] = [OURS, ...featbit, unleashEdge, goFeatureFlag, REFERENCE];
