import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AwsProfile, awsProfiles } from '../../../dev/emulator/awsProfiles.ts';
import { programOf } from '../../../infra/hostRuntime.ts';
import { median, quantile } from '../../../shared/statistics/quantile.ts';
import { flipFlag, openTable } from '../../machine/flagFlips.ts';
import { Child } from './child.ts';
import type { Met } from './crowd.ts';
import type { ReadyService } from './service.ts';

/**
 * The account that is played: its quotas bind long before the two cores of a small machine do, so that they are measured
 * and not the machine. The bursts are five seconds', so that a pause of the machine loses nothing.
 */
export const SMALL: AwsProfile = {
  ...awsProfiles.default,
  name: 'small',
  requests: { perSecond: 200, burst: 1_000 },
  newConnections: { perSecond: 20, burst: 100 },
};

/** How the crowd comes and pings. */
export const CROWD = { perSecond: 30, pingSeconds: 300 } as const;

/** Connections that come slowly before the crowd: they are held up by nothing, and tell how long things take. */
const PROBES = { count: 20, perSecond: 4 } as const;

/** From the last answer to the change: younger connections are left alone for a second. */
const REST_MS = 3_000;

/** How long a crowd and a change are waited for, in milliseconds for each connection, and at least. */
const PATIENCE = { each: 100, least: 240_000 };

/**
 * What a handshake and its data-sync may take where no quota refused them (P99): with more it was the machine that held
 * them up, as it does where other work takes its processors.
 */
const MOST_UNREFUSED_MS = 3_000;

/** What a run measured, in milliseconds. */
export interface Measured {
  readonly times: { readonly connectMs: number; readonly syncMs: number; readonly pushMs: number };
  /** Since the crowd began to come, and since the write was acknowledged; one for each connection that was reached. */
  readonly storm: readonly number[];
  readonly push: readonly number[];
  readonly refused: Met['refused'];
  /** Why the run says nothing; empty when it does. */
  readonly invalid: readonly string[];
}

/** Runs the emulator with a crowd: lets it come, then changes a flag. */
export async function runEmulator(connections: number, say: (line: string) => void): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-simulate-'));
  const service = new Child('./service.ts', [JSON.stringify(SMALL), directory]);
  let generator: Child | undefined;
  try {
    const { port, clientKey, table } = (await service.ready) as ReadyService;
    generator = new Child('./generator.ts', [String(port), clientKey], programOf('bun'));
    await generator.ready;
    const patienceMs = Math.max(PATIENCE.least, connections * PATIENCE.each);
    const store = openTable(table);
    const [environment] = await store.environments.list();
    if (!environment) throw new Error('the emulator has no environment');

    say(`${PROBES.count} connections that nothing holds up, and a change`);
    const probes = (await generator.ask({ do: 'come', ...PROBES, patienceMs })) as Met;
    await sleep(REST_MS);
    const change = async (count: number) => {
      const { version, acknowledgedAt } = await flipFlag(store, environment.id, 'returns-true');
      const until = Date.now() + patienceMs;
      for (;;) {
        await sleep(500);
        const at = (await (generator as Child).ask({ do: 'arrivals', version })) as number[];
        if (at.length >= count || Date.now() > until) return at.map((each) => each - acknowledgedAt);
      }
    };
    const first = await change(PROBES.count);

    say(`${connections} connections, ${CROWD.perSecond} a second`);
    await generator.ask({ do: 'ping', seconds: CROWD.pingSeconds });
    const met = (await generator.ask({
      do: 'come',
      count: connections,
      perSecond: CROWD.perSecond,
      patienceMs,
    })) as Met;
    await sleep(REST_MS);
    say('a change to all of them');
    const push = await change(connections + PROBES.count);
    const slowest = quantile(
      met.firstTry.map(({ connectMs, syncMs }) => connectMs + syncMs),
      0.99,
    );
    store.close();
    return {
      times: {
        connectMs: median(probes.firstTry.map(({ connectMs }) => connectMs)),
        syncMs: median(probes.firstTry.map(({ syncMs }) => syncMs)),
        pushMs: Math.min(...first),
      },
      storm: met.answeredAt,
      push,
      refused: met.refused,
      invalid: [
        ...met.errors.slice(0, 3),
        ...(slowest > MOST_UNREFUSED_MS ? [`the machine held handshakes up, for ${Math.round(slowest)} ms (P99)`] : []),
      ],
    };
  } finally {
    await generator?.stop();
    await service.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
