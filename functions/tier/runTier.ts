import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { MachineRecords } from '../../shared/store/machineRecords.ts';
import type { Tiers } from '../../shared/store/tiers.ts';
import { observeMachine } from '../../shared/tier/machineHealth.ts';
import { decide, isStuck, type Tier, type TierCounts } from '../../shared/tier/tier.ts';
import type { ChangeEvent } from '../events/changeEvent.ts';
import { log } from '../telemetry/log.ts';
import { recordMetrics } from '../telemetry/metrics.ts';
import type { Ec2Machine } from './ec2Machine.ts';

/** Time after which a wanted machine has started, in milliseconds. */
const STARTED_MS = 5 * 60_000;

/** Maximum duration of counting, in milliseconds. The function has 60 s. */
const COUNT_MS = 30_000;

/** Dependencies of the tier. */
export interface TierDeps {
  readonly tiers: Pick<Tiers, 'read' | 'write'>;
  readonly machine: Pick<Ec2Machine, 'describe' | 'change'>;
  readonly records: Pick<MachineRecords, 'heartbeat' | 'read' | 'write'>;
  /** Counts connections, on API Gateway up to a maximum. */
  readonly count: (most: number) => Promise<TierCounts>;
  /** Writes the hint for CloudFront. */
  readonly writeHint: (tier: Tier['wanted']) => Promise<void>;
  readonly limits: Parameters<typeof decide>[2];
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Undefined without a bus. */
  readonly putEvents: ((events: readonly ChangeEvent[]) => Promise<void>) | undefined;
}

/**
 * Decides the tier once, stores it, writes the hint for CloudFront, and starts or stops the machine.
 *
 * @throws what the table, EC2, CloudFront or the bus refuses
 */
export async function runTier(deps: TierDeps): Promise<void> {
  const { tiers, machine, records, count, writeHint, limits, now, pause, putEvents } = deps;
  const [state, described, heartbeat, before, counts] = await Promise.all([
    tiers.read(),
    machine.describe(),
    records.heartbeat(),
    records.read(),
    Promise.race([count(limits.startAt + 1), tooLate()]).catch((error: Error) => {
      log.warn('connections not counted; the tier does not change by itself', { error });
      return undefined;
    }),
  ]);
  const watched = observeMachine(before, described, heartbeat, now());
  const { health } = watched;
  await records.write(watched);
  if (health.kind !== (before?.health.kind ?? health.kind)) log.warn('health of the machine', { ...health });
  const { next, action, hint } = decide(state, { machine: described, health, counts }, limits, now());
  // If the write is refused, another call has decided.
  if (next !== state && !(await tiers.write(next))) return;
  if (isStuck(next, now())) recordMetrics({ 'tier.stuck': 1 });
  const isChanged = state !== undefined && next.wanted !== state.wanted;
  if (isChanged || action !== 'none') log.info('tier', { ...next, machine: described, counts, action });
  const done = await Promise.allSettled([
    action !== 'none' && machine.change(action),
    isChanged && putEvents?.([eventOf(next, counts)]),
    next.hinted === undefined && storeHint(),
  ]);
  const [failure, ...others] = done.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
  for (const error of others) log.warn('the tier has another error', { error });
  if (failure) throw failure;
  // EC2 reports no error if a machine stops while it starts, for example without access to the key of its disk.
  if (action === 'start' && now() - next.changedAt > STARTED_MS)
    throw new Error('the machine is stopped, although it is wanted; EC2 has the reason as its state reason');

  async function storeHint(): Promise<void> {
    await writeHint(hint);
    // If this is refused, the next call writes the hint again.
    await tiers.write({ ...next, hinted: hint, revision: next.revision + 1 });
  }

  async function tooLate(): Promise<never> {
    await pause(COUNT_MS);
    throw new Error(`it takes longer than ${COUNT_MS / 1_000} s`);
  }
}

function eventOf({ wanted, mode, by, changedAt, revision }: Tier, connections?: TierCounts): ChangeEvent {
  const detail = { id: `tier/${revision}`, tier: wanted, mode, by, at: formatTimestamp(changedAt), connections };
  return { source: 'flagwire', detailType: 'Tier Changed', time: changedAt, detail: JSON.stringify(detail) };
}
