import { timeouts, until } from '../../../../shared/testing/until.ts';
import type { Target } from '../target.ts';

/** The settings of any SDK's builder; each call gives a builder. */
interface Builder<B> {
  sdkKey(key: string): B;
  streamingUri(uri: string): B;
  pollingUri(uri: string): B;
  eventsUri(uri: string): B;
  pollingInterval(ms: number): B;
  flushInterval(ms: number): B;
  startWaitTime(ms: number): B;
  logger(logger: typeof quiet): B;
}

// FeatBit's SDKs leave timers behind when they are closed: the next ping, and the end of the wait for a start. Those keep no
// process alive. The timers of tests need not either: jest waits for tests.
const { setTimeout: start } = globalThis;
const startUnheld = ((...args: Parameters<typeof start>) => start(...args).unref()) as typeof start;
globalThis.setTimeout = Object.defineProperties(startUnheld, Object.getOwnPropertyDescriptors(start));

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Transport of an SDK. */
export type Mode = 'streaming' | 'polling';

/** Leads an SDK to a target, and lets it look and report soon, and wait as long for its start as tests wait for anything. */
export function lead<B extends Builder<B>>(builder: B, target: Pick<Target, 'streamingUrl' | 'httpUrl'>, key: string) {
  const { streamingUrl, httpUrl } = target;
  const led = builder.sdkKey(key).streamingUri(streamingUrl).pollingUri(httpUrl).eventsUri(httpUrl);
  return led.pollingInterval(200).flushInterval(200).startWaitTime(timeouts().condition).logger(quiet);
}

/** One of FeatBit's SDKs, as published, and what it has heard. */
export abstract class Sdk<
  Client extends { on(event: 'update', listener: (keys: unknown) => void): unknown; close(): Promise<void> },
  User extends unknown[],
> {
  /** Keys of the flags that it reported as changed. */
  readonly updates: string[] = [];
  readonly client: Client;

  protected constructor(client: Client) {
    this.client = client;
    client.on('update', (keys) => this.updates.push(...[keys].flat().map(String)));
  }

  /** The value for a user, as text. */
  abstract value(key: string, ...user: User): Promise<string>;

  /** Waits until a user gets this value. */
  async becomes(key: string, expected: string, ...user: User): Promise<void> {
    await until(
      () => this.value(key, ...user),
      (value) => value === expected,
    );
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
