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

/** The instances of one function. */
export class Instances {
  readonly #definition: FunctionDefinition;
  readonly #deps: InstancesDeps;
  /** Those that were used last come last. */
  readonly #instances: Instance[] = [];
  readonly #starting = new Set<Promise<Instance>>();

  constructor(definition: FunctionDefinition, deps: InstancesDeps) {
    this.#definition = definition;
    this.#deps = deps;
  }

  /** Loads an instance that waits for its first call. @throws what loading the module throws */
  async start(): Promise<Instance> {
    const { identities, load } = this.#deps;
    const handler = await load();
    const { role, name, environment } = this.#definition;
    const identity = identities.assume(role, name);
    const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = identity.accessKey;
    const own = { ...environment, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
    const instance: Instance = { handler, environment: own, identity, calls: 0, isNew: true, isRetired: false };
    this.#instances.push(instance);
    return instance;
  }

  /**
   * An instance for one call: one that has none, the longest unused first; else a new one; else, when there may be no more, the
   * one with the fewest calls.
   */
  take(): Instance | Promise<Instance> {
    const idle = this.#instances.find(({ calls }) => calls === 0);
    if (idle) return this.#begin(idle);
    if (this.#instances.length + this.#starting.size < this.#deps.maxInstances) return this.#startNow();
    const [first, ...others] = this.#instances;
    if (first) return this.#begin(others.reduce((least, each) => (each.calls < least.calls ? each : least), first));
    return Promise.race(this.#starting).then(() => this.take());
  }

  /** Ends a call. */
  give(instance: Instance): void {
    instance.calls -= 1;
    if (instance.isRetired && instance.calls === 0) instance.identity.isStopped = true;
  }

  /** Ends a call that has used up its time: the instance gets no further one, and stops with its last. */
  retire(instance: Instance): void {
    instance.isRetired = true;
    const index = this.#instances.indexOf(instance);
    if (index >= 0) this.#instances.splice(index, 1);
    this.give(instance);
  }

  async #startNow(): Promise<Instance> {
    const starting = this.start();
    this.#starting.add(starting);
    try {
      return await this.#begin(await starting);
    } finally {
      this.#starting.delete(starting);
    }
  }

  #begin(instance: Instance): Instance | Promise<Instance> {
    const { coldStartMs, clock } = this.#deps;
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
    const index = this.#instances.indexOf(instance);
    this.#instances.push(...this.#instances.splice(index, 1));
    // Those that share an instance wait for its start as well.
    return instance.starting ?? instance;
  }
}
