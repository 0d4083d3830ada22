import { setTimeout as sleep } from 'node:timers/promises';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { firstTier, HINT_KEY } from '../../shared/tier/tier.ts';
import { startDistribution } from '../emulator/cloudfront/distribution.ts';
import type { Log } from '../emulator/log.ts';
import type { Templates } from '../emulator/template/template.ts';
import { freePort } from '../support/freePort.ts';
import { cleanEnvironment, ofRepository, RunningProcess } from '../support/runningProcess.ts';

/** Pause before a host that has ended is started again, as systemd makes it, in milliseconds. */
const RESTART_MS = 1_000;
/** How long a host may take to stop, in milliseconds. */
const STOP_MS = 5_000;
/** How long a host may give no answer until it is killed, as in its systemd unit, in milliseconds. */
const WATCHDOG_MS = 30_000;
/** Interval in which the wanted tier is read, in milliseconds. */
const TIER_MS = 5_000;

/** Settings of a deployment with a front door. */
export const DOOR_SETTINGS = {
  host: true,
  frontDoor: {
    domainName: 'flags.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-4000-8000-000000000000',
  },
};

/** Options of a front door. */
interface FrontDoorOptions {
  readonly templates: Templates;
  /** The flags table of this process. */
  readonly table: { readonly endpoint: string; readonly flags: string };
  /** The folder in which `npm start` announces its tables. */
  readonly dataDir: string;
  readonly gatewayUrl: string;
  readonly port: number;
  readonly log: Log;
  /** By default {@link WATCHDOG_MS}. */
  readonly watchdogMs?: number;
}

/**
 * Starts a front door: a host, and the distribution of the templates in front of it and of the gateway. A host that ends starts again, and one
 * that does not answer is killed. New handshakes go to the tier that `flags tier` sets.
 *
 * @throws Error if the port is not available, or with the output of a host that does not start
 */
export async function startFrontDoor(options: FrontDoorOptions) {
  const { templates, table, dataDir, gatewayUrl, port, log, watchdogMs = WATCHDOG_MS } = options;
  const environment = cleanEnvironment({ PORT: String(await freePort()), DRAIN_MS: '500' });
  const addresses = { host: `http://127.0.0.1:${environment['PORT']}`, gateway: gatewayUrl, http: gatewayUrl };
  const store = openStore({ client: createDynamoDb({ endpoint: table.endpoint }), flags: table.flags });
  const hints = new Map<string, string>();
  const distribution = await startDistribution({ templates, addresses, port, store: hints });
  const start = () =>
    new RunningProcess(ofRepository('functions/host/launch.ts', ['--data', dataDir]), { environment });
  let host = start();
  await host.listening();
  log('front door: that CloudFront fails over for WebSocket handshakes is an assumption (docs/unverified.md)');
  let isStopping = false;
  const supervise = async () => {
    const code = await host.ended;
    if (isStopping) return;
    log(`front door: the host ended with ${code ?? 'a signal'}, and starts again`);
    await sleep(RESTART_MS);
    if (isStopping) return;
    host = start();
    void supervise();
  };
  void supervise();

  const watchdog = setTimeout(() => {
    log(`front door: the host has not answered for ${watchdogMs / 1_000} s, and is killed`);
    void host.stop('SIGKILL');
  }, watchdogMs);
  // Only silence counts. A host that has ended starts again anyway.
  const isSilent = () =>
    fetch(`${addresses.host}/health/liveness`, { signal: AbortSignal.timeout(watchdogMs / 3) }).then(
      () => false,
      ({ name }: Error) => name === 'TimeoutError',
    );
  const checks = setInterval(async () => {
    if (!(await isSilent()) && !isStopping) watchdog.refresh();
  }, watchdogMs / 6);

  // The watchdog keeps the host well. A deployment decides the health of its machine each minute.
  const { tiers, machine } = store;
  await machine.write({ health: { kind: 'healthy' }, heartbeat: undefined, heardAt: systemEffects.now() });
  const decide = async () => {
    const tier = (await tiers.read()) ?? firstTier(systemEffects.now());
    hints.set(HINT_KEY, tier.wanted);
    if (tier.hinted !== tier.wanted) await tiers.write({ ...tier, hinted: tier.wanted, revision: tier.revision + 1 });
  };
  await decide();
  const decisions = setInterval(() => {
    decide().catch((error: Error) => log(`front door: the tier was not decided: ${error.message}`));
  }, TIER_MS);
  return {
    ...distribution,
    /** The process id of the current host. */
    hostPid: () => host.pid,
    async close(): Promise<void> {
      isStopping = true;
      for (const timer of [watchdog, checks, decisions]) clearTimeout(timer);
      await distribution.close();
      // A host that does not answer does not stop.
      const ending = setTimeout(() => void host.stop('SIGKILL'), STOP_MS);
      await host.stop('SIGTERM');
      clearTimeout(ending);
      store.close();
    },
  };
}
