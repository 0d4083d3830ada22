import type { MachineRecords } from '../../shared/store/machineRecords.ts';
import type { Tiers } from '../../shared/store/tiers.ts';
import { type MachineState, observeMachine } from '../../shared/tier/machineHealth.ts';
import { firstTier, hintFor, type TierName } from '../../shared/tier/tier.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';

/** Calls come once a minute. */
const MINUTE_MS = 60_000;
/** How often the hint is written although it did not change, because the key-value store may have another one. */
const HINT_MS = 24 * 60 * MINUTE_MS;

/** Dependencies of the tier. */
export interface TierDeps {
  readonly tiers: Pick<Tiers, 'read' | 'write'>;
  readonly records: Pick<MachineRecords, 'heartbeat' | 'read' | 'write'>;
  readonly readStatus: () => Promise<MachineState>;
  /** Writes the hint for CloudFront. */
  readonly writeHint: (tier: TierName) => Promise<void>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Observes the machine once, stores its health, and writes the hint for CloudFront if that changes, and once a day.
 *
 * @throws what the table, EC2 or CloudFront refuses
 */
export async function runTier({ tiers, records, readStatus, writeHint, now }: TierDeps): Promise<void> {
  const [stored, machine, heartbeat, before] = await Promise.all([
    tiers.read(),
    readStatus(),
    records.heartbeat(),
    records.read(),
  ]);
  const observed = observeMachine(before, machine, heartbeat, now());
  const { health } = observed;
  await records.write(observed);
  if (health.kind !== (before?.health.kind ?? health.kind)) log.warn('health of the machine', { ...health });
  const tier = stored ?? firstTier(now());
  if (health.kind === 'unhealthy' && tier.wanted === 'host') recordMetrics({ 'tier.unhealthy': 1 });
  const hint = hintFor(tier, health);
  if (hint === tier.hinted && now() % HINT_MS >= MINUTE_MS) return;
  // Stored before the hint is written: a write that fails may have taken effect.
  const next = { ...tier, hinted: undefined, revision: tier.revision + 1 };
  // If a write is refused, another writer was first, and the next call follows.
  if (!(await tiers.write(next))) return;
  await writeHint(hint);
  await tiers.write({ ...next, hinted: hint, revision: next.revision + 1 });
}
