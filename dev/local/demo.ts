import { AsyncLocalStorage } from 'node:async_hooks';
import http from 'node:http';
import { FbClientBuilder, type IFbClient, UserBuilder } from '@featbit/node-server-sdk';

/** The applications, by the names that the console shows, and the users of all of them. */
const APPLICATIONS = ['storefront', 'checkout', 'mail-worker'];
const USERS = 60;
/** Interval of the evaluations of each application, in milliseconds. */
const PERIOD_MS = 1_000;

/** The application whose SDK sends a request. */
const sender = new AsyncLocalStorage<string>();

/** A logger that prints nothing: npm start prints the events of the service. */
const silent = { error() {}, warn() {}, info() {}, debug() {} };

/**
 * Runs applications with FeatBit's Node SDK in this process, for `npm start -- --demo`. Each holds a connection, and evaluates all flags
 * of the environment, so that the console shows connections and usage.
 *
 * @param serverKey server key of the environment
 * @returns what stops them
 */
export async function startDemo(
  { streamingUrl, httpUrl }: { readonly streamingUrl: string; readonly httpUrl: string },
  serverKey: string,
): Promise<() => Promise<void>> {
  nameSenders();
  const options = new FbClientBuilder().sdkKey(serverKey).streamingUri(streamingUrl).eventsUri(httpUrl).logger(silent);
  const applications = APPLICATIONS.map((name) => sender.run(name, () => options.build()));
  await Promise.all(applications.map((client) => client.waitForInitialization()));
  let turn = 0;
  const timer = setInterval(() => {
    for (const client of applications) void evaluateAll(client, turn++ % USERS);
  }, PERIOD_MS);
  return async () => {
    clearInterval(timer);
    await Promise.all(applications.map((client) => client.close()));
  };
}

/** Adds the name of the {@link sender} to its requests. FeatBit's Node SDK sends no name, and has no option for headers. */
function nameSenders(): void {
  const { request } = http;
  const named = (...args: Parameters<typeof request>) => {
    const made = request(...args);
    const name = sender.getStore();
    if (name !== undefined) made.setHeader('User-Agent', name);
    return made;
  };
  Object.assign(http, { request: named });
}

/** Evaluates flag by flag: an SDK reports no evaluations of all flags at once. */
async function evaluateAll(client: IFbClient, n: number): Promise<void> {
  const user = new UserBuilder(`demo-${n}`)
    .name(`Demo ${n}`)
    .custom('country', ['us', 'de', 'cn', 'br'][n % 4] as string)
    .custom('plan', ['pro', 'beta', 'free', 'free', 'free'][n % 5] as string)
    .custom('role', n % 10 === 3 ? 'staff' : 'customer')
    .build();
  for (const { flagKey } of await client.getAllVariations(user)) {
    await client.stringVariation(flagKey, user, '');
  }
}
