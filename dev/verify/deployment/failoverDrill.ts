import { setTimeout as sleep } from 'node:timers/promises';
import { paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { FlagStore } from '../../../shared/store/store.ts';
import { type Access, CannotVerify, connectionUrl } from './access.ts';
import { type Account, runOnHosts } from './awsObservations.ts';
import { handshake } from './observations.ts';
import type { Answer, Observation } from './report.ts';

/** How long each fault lasts, in seconds. */
const OUTAGE_S = 60;
/** The longest handshake that the front door promises (docs/front-door.md), in milliseconds. */
const PROMISED_MS = 21_000;
/** When a handshake counts as failed, in milliseconds. */
const TIMEOUT_MS = 60_000;

const UNIT = 'flagwire-host';
/** The last line of a machine on which a fault has begun. */
const BEGUN = 'fault-begun';

/** Faults of the host's machine: the command that makes each, and the one that ends it. */
const FAULTS = {
  // Killed, because a stop waits for its clients. Masked, because systemd would start it again.
  'is gone': [
    `systemctl mask --runtime ${UNIT} && systemctl kill -s KILL ${UNIT}`,
    `systemctl unmask --runtime ${UNIT} && systemctl start ${UNIT}`,
  ],
  // Packets are dropped, as by a network that is away.
  'blocks its port': [
    `systemctl set-property --runtime ${UNIT} IPAddressDeny=any`,
    `systemctl set-property --runtime ${UNIT} IPAddressDeny=`,
  ],
  'hangs its process': [`systemctl kill -s STOP ${UNIT}`, `systemctl kill -s CONT ${UNIT}`],
} as const;

/** Time limits of a drill. Tests have shorter ones. */
interface DrillTimes {
  readonly outageS: number;
  readonly pauseMs: number;
}

/**
 * Drills of the failover of a front door: handshakes once a second, while the host is away. They disturb the stage. The machine ends each
 * fault itself, by a timer that is set first, so that a drill that is interrupted leaves no fault.
 *
 * @param door the wss:// URL of the front door
 */
export function failoverDrills(
  account: Account,
  door: () => Promise<string>,
  times: DrillTimes = { outageS: OUTAGE_S, pauseMs: 1_000 },
): readonly Observation[] {
  return Object.entries(FAULTS).map(([name, [begin, end]]) => ({
    question: `handshakes through the front door while the host ${name}: failed, and the longest`,
    look: async (access) => {
      const streamingUrl = await door();
      const timer = `systemd-run --on-active=${times.outageS} /bin/sh -c '${end}'`;
      const isHost = `systemctl cat ${UNIT} >/dev/null 2>&1 || exit 0`;
      const isActive = `systemctl is-active ${UNIT} || exit 1`;
      const results = await runOnHosts(account, [isHost, isActive, `${timer} && ${begin} && echo ${BEGUN}`].join('\n'));
      const begun = results.filter(({ isDone, output }) => isDone && output.endsWith(BEGUN));
      if (begun.length !== 1) {
        const said = results.map(({ instance, output }) => `${instance}: ${output || 'no host'}`).join('; ');
        throw new CannotVerify(`the fault did not begin on one host: ${said || 'no machine ran the command in time'}`);
      }
      return timeHandshakes({ ...access, streamingUrl }, times);
    },
  }));
}

/** Requires that handshakes go to the host. @throws {CannotVerify} otherwise: a fault of the host would change nothing */
export async function requireHostTier({ tiers, machine }: Pick<FlagStore, 'tiers' | 'machine'>): Promise<void> {
  const [tier, state] = [await tiers.read(), await machine.read()];
  if (tier?.hinted !== 'gateway' && state?.health.kind === 'healthy') return;
  const health = state?.health.kind ?? 'unknown';
  throw new CannotVerify(
    `the tier is ${tier?.hinted ?? 'unknown'}, and the machine ${health}; run "flags tier host", and verify again in five minutes`,
  );
}

/** The address of a stage's front door. @throws {CannotVerify} if it has none */
export async function findDoor({ cloudFormation: client, name, stage }: Account, url?: string): Promise<string> {
  const StackName = `${name}-${stage}-Host`;
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    if (url && StackResourceSummaries.some(({ ResourceType }) => ResourceType === 'AWS::CloudFront::KeyValueStore'))
      return url;
  throw new CannotVerify(`the stack ${StackName} has no front door; run without --failover`);
}

async function timeHandshakes(access: Access, { outageS, pauseMs }: DrillTimes): Promise<Answer> {
  // Longer than the fault, which begins some seconds later: the next one finds a host that is well.
  const end = performance.now() + outageS * 1_250;
  let [count, failed, longest] = [0, 0, 0];
  while (performance.now() < end) {
    const began = performance.now();
    const { status } = await handshake(connectionUrl(access), TIMEOUT_MS).catch(() => ({ status: 0 }));
    count++;
    if (status !== 101) failed++;
    longest = Math.max(longest, performance.now() - began);
    await sleep(pauseMs);
  }
  const answer = `${failed} of ${count}; ${(longest / 1_000).toFixed(1)} s`;
  return { answer, isPromised: failed === 0 && longest <= PROMISED_MS };
}
