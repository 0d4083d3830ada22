import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { logFileOf } from '../tools/cacheDirectory.ts';
import { freePort } from '../tools/freePort.ts';

/** The account, region and credentials that the emulator knows; the credentials open nothing anywhere else. */
const identity = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};

/** The emulator, from PyPI. */
export const ministack = { name: 'ministack', requirements: join(import.meta.dirname, 'requirements.txt') };

const PATIENCE_MS = 30_000;

/**
 * A running ministack, an AWS emulator by others: one process, one port of 127.0.0.1, its Lambdas run by this Node.
 *
 * It lives no longer than this process, however this one ends, and leaves nothing behind but the log of the last run.
 */
export class Emulator {
  /** Where it answers for every service: `http://127.0.0.1:<port>`. */
  readonly endpoint: string;
  /** What the AWS SDKs, the CDK's command and the flags CLI need in their environment to talk to it, and to nobody else. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** A temporary directory that goes when the emulator does. */
  readonly directory: string;
  readonly #guard: ChildProcess;

  private constructor(guard: ChildProcess, port: number, directory: string, logFile: string) {
    this.#guard = guard;
    this.directory = directory;
    this.logFile = logFile;
    this.endpoint = `http://127.0.0.1:${port}`;
    this.environment = { ...identity, AWS_ENDPOINT_URL: this.endpoint, AWS_EC2_METADATA_DISABLED: 'true' };
  }

  /** The one account and region in it, as `cdk bootstrap` wants them. */
  get accountAndRegion(): string {
    return `aws://000000000000/${identity.AWS_REGION}`;
  }

  /** What an AWS SDK's client needs to be told to talk to it. */
  get clientConfig() {
    const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = identity;
    return {
      endpoint: this.endpoint,
      region: AWS_REGION,
      credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    };
  }

  /**
   * Starts it and waits until it answers.
   *
   * @param commands the directory with the command `ministack`
   * @throws when it ends or does not answer, naming its log
   */
  static async start(commands: string): Promise<Emulator> {
    const port = await freePort();
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-e2e-'));
    const logFile = logFileOf('ministack');
    writeFileSync(logFile, '');
    const guard = join(import.meta.dirname, 'guard.ts');
    const child = spawn(process.execPath, [guard, logFile, directory, join(commands, 'ministack')], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: settings(port, directory),
    });
    const emulator = new Emulator(child, port, directory, logFile);
    await emulator.#untilReady();
    return emulator;
  }

  /** Ends it and all its Lambdas, and removes its directory. */
  async stop(): Promise<void> {
    if (this.#guard.exitCode !== null) return;
    const exit = once(this.#guard, 'exit');
    this.#guard.stdin?.end();
    await exit;
  }

  async #untilReady(): Promise<void> {
    for (const end = Date.now() + PATIENCE_MS; ; await sleep(50)) {
      const answer = await fetch(`${this.endpoint}/_ministack/health`).catch(() => undefined);
      if (answer?.ok) return;
      if (this.#guard.exitCode === null && Date.now() < end) continue;
      await this.stop();
      throw new Error(`The emulator did not start; its log is ${this.logFile}.`);
    }
  }
}

function settings(port: number, directory: string): NodeJS.ProcessEnv {
  const node = dirname(process.execPath);
  return {
    ...identity,
    PATH: [node, process.env['PATH']].join(delimiter),
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    SFTP_ENABLED: '0',
    // Real host names in events and URLs: the emulator leads what its Lambdas send to them back to itself.
    MINISTACK_HOST: 'us-east-1.amazonaws.com',
    // Taken by every Lambda worker.
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'sharedAgent.ts'))}`,
    TMPDIR: directory,
  };
}
