import type { MachineHealth } from './machineHealth.ts';

/** The key of the hint in the key-value store of a front door. Its value is {@link Tier.hinted}. */
export const HINT_KEY = 'tier';

/** Where handshakes of a front door can go. */
export const TIER_NAMES = ['host', 'gateway'] as const;
export type TierName = (typeof TIER_NAMES)[number];

/** Where handshakes of a front door go first. */
export interface Tier {
  /** What an operator chose. API Gateway is also what remains while the host is not healthy. */
  readonly wanted: TierName;
  /** Who set `wanted`. */
  readonly by: string;
  /** Since when `wanted` is as it is, in unix milliseconds. */
  readonly changedAt: number;
  /** The hint for CloudFront, to where it sends handshakes first. Undefined until a write of it has succeeded. */
  readonly hinted?: TierName | undefined;
  /** Number of its writes. */
  readonly revision: number;
}

/** The tier of a new front door. */
export function firstTier(now: number): Tier {
  return { wanted: 'host', by: 'deployment', changedAt: now, revision: 0 };
}

/** The hint for CloudFront. A host that does not answer would cost each handshake 1 to 20 s. */
export function hintFor({ wanted }: Tier, health: MachineHealth): TierName {
  return health.kind === 'healthy' ? wanted : 'gateway';
}
