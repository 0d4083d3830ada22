import { setTimeout as sleep } from 'node:timers/promises';
import { startDistribution } from '../emulator/cloudfront/distribution.ts';
import type { Log } from '../emulator/log.ts';
import type { Templates } from '../emulator/template/template.ts';
import { freePort } from '../support/freePort.ts';
import { cleanEnvironment, ofRepository, RunningProcess } from '../support/runningProcess.ts';

/** Pause before a host that has ended is started again, as systemd makes it, in milliseconds. */
const RESTART_MS = 1_000;
/** How long a host may take to stop, in milliseconds. */
const STOP_MS = 5_000;

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
  /** The folder in which `npm start` announces its tables. */
  readonly dataDir: string;
  readonly gatewayUrl: string;
  readonly port: number;
  readonly log: Log;
}

/**
 * Starts a front door: a host, and the distribution of the templates in front of it and of the gateway. A host that ends starts again.
 *
 * @throws Error if the port is not available, or with the output of a host that does not start
 */
export async function startFrontDoor({ templates, dataDir, gatewayUrl, port, log }: FrontDoorOptions) {
  const environment = cleanEnvironment({ PORT: String(await freePort()), DRAIN_MS: '500' });
  const addresses = { host: `http://127.0.0.1:${environment['PORT']}`, gateway: gatewayUrl, http: gatewayUrl };
  const distribution = await startDistribution({ templates, addresses, port });
  const start = () =>
    new RunningProcess(ofRepository('functions/host/launch.ts', ['--data', dataDir]), { environment });
  let host = start();
  await host.listening();
  log('front door: that CloudFront fails over for WebSocket handshakes is an assumption (docs/unverified.md)');
  let isStopping = false;
  const supervise = async () => {
    const code = await host.ended;
    if (isStopping) return;
    log(`front door: the host ended with ${code}, and starts again`);
    await sleep(RESTART_MS);
    if (isStopping) return;
    host = start();
    void supervise();
  };
  void supervise();
  return {
    ...distribution,
    /** The process id of the current host. */
    hostPid: () => host.pid,
    async close(): Promise<void> {
      isStopping = true;
      await distribution.close();
      // A host that does not answer does not stop.
      const ending = setTimeout(() => void host.stop('SIGKILL'), STOP_MS);
      await host.stop('SIGTERM');
      clearTimeout(ending);
    },
  };
}
