import type { Clock } from '../clock.ts';
import type { Identities, Identity } from '../iam/identities.ts';
import type { FunctionDefinition } from './definition.ts';
import type { InstanceEnvironment } from './environment.ts';

/** A function's handler as its module exports it. */
export type Handler = (event: unknown, context: unknown) => unknown;

/** One instance of a function, with its own module, clients, caches and access key. */
export interface Instance {
  readonly handler: Handler;
  readonly environment: InstanceEnvironment;
  readonly identity: Identity;
  /** Calls that it is handling. */
  calls: number;
  /** True if it was never called: its first call starts it. */
  isNew: boolean;
  /** Its start, while it lasts. */
  starting?: Promise<Instance> | undefined;
  /** True if it gets no further calls. */
  isRetired: boolean;
}

/** Dependencies of the instances of a function. */
interface InstancesDeps {
  readonly clock: Clock;
  readonly identities: Identities;
  /** Instances that are loaded at once. Calls beyond them share those, which AWS does not do. */
  readonly maxInstances: number;
  /** Delay of the first call of a new instance, in ms. */
  readonly coldStartMs: number;
  /** Loads the function's module once more. */
  readonly load: () => Promise<Handler>;
}

/** Makes the instances of one function. */
export function createInstances(definition: FunctionDefinition, deps: InstancesDeps) {
  const { clock, identities, maxInstances, coldStartMs, load } = deps;
  /** Those that were used last come last. */
  const instances: Instance[] = [];
  const starting = new Set<Promise<Instance>>();

  /** Loads an instance that waits for its first call. @throws what loading the module throws */
  async function start(): Promise<Instance> {
    const handler = await load();
    const { role, name, environment } = definition;
    const identity = identities.assume(role, name);
    const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = identity.accessKey;
    const own = { ...environment, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const instance: Instance = { handler, environment: own, identity, calls: 0, isNew: true, isRetired: false };
    instances.push(instance);
    return instance;
  }

  async function startNow(): Promise<Instance> {
    const started = start();
    starting.add(started);
    try {
      return await begin(await started);
    } finally {
      starting.delete(started);
    }
  }

  function begin(instance: Instance): Instance | Promise<Instance> {
    if (instance.isNew && coldStartMs > 0) {
      instance.starting = new Promise((resolve) =>
        clock.after(coldStartMs, () => {
          instance.starting = undefined;
          resolve(instance);
        }),
      );
    }
    instance.calls += 1;
    instance.isNew = false;
    instances.push(...instances.splice(instances.indexOf(instance), 1));
    // Those that share an instance wait for its start as well.
    return instance.starting ?? instance;
  }

  /**
   * An instance for one call: one that has none, the longest unused first; else a new one; else, when there may be no more, the
   * one with the fewest calls.
   */
  function take(): Instance | Promise<Instance> {
    const idle = instances.find(({ calls }) => calls === 0);
    if (idle) return begin(idle);
    if (instances.length + starting.size < maxInstances) return startNow();
    const [first, ...others] = instances;
    if (first) return begin(others.reduce((least, each) => (each.calls < least.calls ? each : least), first));
    return Promise.race(starting).then(take);
  }

  /** Ends a call. */
  function give(instance: Instance): void {
    instance.calls -= 1;
    if (instance.isRetired && instance.calls === 0) instance.identity.isStopped = true;
  }

  /** Ends a call that has used up its time: the instance gets no further one, and stops with its last. */
  function retire(instance: Instance): void {
    instance.isRetired = true;
    const index = instances.indexOf(instance);
    if (index >= 0) instances.splice(index, 1);
    give(instance);
  }

  return { start, take, give, retire };
}
