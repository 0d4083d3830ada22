import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessorShare } from '../../machine/processorShare.ts';
import type { Received } from './gateway.ts';
import type { Call, Called } from './instance.ts';

/** A played @connections, in a process of its own. */
export class Gateway {
  readonly endpoint: string;
  readonly #process: ChildProcess;

  private constructor(endpoint: string, process: ChildProcess) {
    this.endpoint = endpoint;
    this.#process = process;
  }

  /** @param tls where its key and certificate are */
  static async start(tls: Certificate, latencyMs: number): Promise<Gateway> {
    const args = [tls.key, tls.certificate, String(latencyMs)];
    const process = fork(join(import.meta.dirname, 'gateway.ts'), args);
    const [port] = (await once(process, 'message')) as [number];
    return new Gateway(`https://localhost:${port}/streaming`, process);
  }

  /** What it was sent since it was last asked. */
  async received(): Promise<Received> {
    this.#process.send('received');
    const [received] = (await once(this.#process, 'message')) as [Received];
    return received;
  }

  close(): void {
    this.#process.kill();
  }
}

/** Paths of a key and the certificate that goes with it. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

/** Makes a certificate for localhost. @throws where there is no openssl */
export function makeCertificate(folder: string): Certificate {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  return { key, certificate };
}

/** How calls are made. */
export interface FunctionSetting {
  readonly bundle: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly share: ProcessorShare | undefined;
}

/** A call, and whether it was ended at its timeout. */
export interface MadeCall extends Called {
  readonly isKilled: boolean;
}

/**
 * Has an instance of a function handle an event until it is done with it, one call after another. One that does not end in
 * its time is killed, and another is started.
 *
 * @param mostCalls after which it gives up
 */
export async function callUntilDone(
  setting: FunctionSetting,
  eventOf: (timesReceived: number) => object,
  mostCalls: number,
): Promise<MadeCall[]> {
  const calls: MadeCall[] = [];
  let instance: ChildProcess | undefined;
  try {
    while (calls.length < mostCalls) {
      instance ??= await startInstance(setting);
      const call = await callOnce(instance, { event: eventOf(calls.length + 1), timeoutMs: setting.timeoutMs });
      calls.push(call);
      if (call.isKilled) instance = undefined;
      if (!call.isFailed) return calls;
    }
    throw new Error(`the change is not delivered after ${mostCalls} calls`);
  } finally {
    await endInstance(instance);
  }
}

async function startInstance({ bundle, environment, share }: FunctionSetting): Promise<ChildProcess> {
  const instance = fork(join(import.meta.dirname, 'instance.ts'), [bundle], { env: environment });
  if (instance.pid !== undefined) share?.add(instance.pid);
  await Promise.race([
    once(instance, 'message'),
    once(instance, 'exit').then(() => Promise.reject(new Error('the instance ended before its first call'))),
  ]);
  return instance;
}

async function callOnce(instance: ChildProcess, call: Call): Promise<MadeCall> {
  const ended = new AbortController();
  const { signal } = ended;
  instance.send(call);
  try {
    const answer = once(instance, 'message', { signal }).then(([called]) => ({ ...called, isKilled: false }));
    const timeout = sleep(call.timeoutMs, undefined, { signal }).then(async () => {
      await endInstance(instance);
      return { wallMs: call.timeoutMs, cpuMs: Number.NaN, isFailed: true, isKilled: true };
    });
    return await Promise.race([answer, timeout]);
  } finally {
    ended.abort();
  }
}

async function endInstance(instance: ChildProcess | undefined): Promise<void> {
  if (!instance || instance.exitCode !== null || instance.signalCode !== null) return;
  instance.kill('SIGKILL');
  await once(instance, 'exit');
}
