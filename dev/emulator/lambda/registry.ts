import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AwsProfile } from '../awsProfiles.ts';
import type { Clock } from '../clock.ts';
import type { Identities } from '../iam/identities.ts';
import { type Log, oneLine } from '../log.ts';
import { createConcurrency } from './concurrency.ts';
import { lambdaContext } from './context.ts';
import type { FunctionDefinition } from './definition.ts';
import { inEnvironment } from './environment.ts';
import { createInstances, type Handler, type Instance } from './instances.ts';
import { functionNameIn, type Invoker, mayInvoke } from './permissions.ts';
import { nextTrace, traceVariables } from './recursion.ts';
import { failure, type InvokeResult } from './result.ts';
import { createSlots } from './slots.ts';

/** The functions of the stack, invocable by name or ARN (also one with a version or alias behind it). */
export type FunctionRegistry = ReturnType<typeof createFunctionRegistry>;

/** Options of a call. */
interface InvokeOptions {
  /** Maximum wait of the caller in ms. The invocation continues after it. */
  readonly limitMs?: number;
  /** The caller. Handlers start in turns of callers. */
  readonly caller?: string;
  /** The service that calls, for which the function's own policy is asked. Lambda itself calls for event sources. */
  readonly by?: Invoker;
  /** The trace headers of the messages in the event. Without them, the call starts a new chain. */
  readonly traces?: readonly (string | undefined)[];
}

/** Dependencies of a {@link FunctionRegistry}. */
interface RegistryOptions extends Pick<AwsProfile, 'concurrentExecutions' | 'coldStartMs' | 'callVcpuMs'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly identities: Identities;
  readonly maxInstances?: number;
}

/** Default maximum of loaded instances of a function. With several instances, caches differ. */
const MAX_INSTANCES = 3;

/** The memory with which a function has a whole virtual processor. Source: Lambda's guide, "Configure function memory". */
const VCPU_MEMORY_MB = 1_769;

/**
 * Maximum concurrent handlers of one function in this process. Further invocations count as running, and wait. A thousand clients
 * that connect and sync at once took 17 s without this limit, and 5 s with it.
 */
const maxHandlersAtWork = 50;

/** Largest event and largest answer of a synchronous invocation, in bytes of JSON (Lambda's 6 MB quota). */
export const maxPayloadBytes = 6 * 1024 * 1024;

const repository = resolve(import.meta.dirname, '../../..');

/** Makes the registry of `definitions`. The environment must be in place before `load`. */
export function createFunctionRegistry(
  definitions: readonly FunctionDefinition[],
  {
    clock,
    log,
    identities,
    concurrentExecutions,
    coldStartMs = 0,
    callVcpuMs = 0,
    maxInstances = MAX_INSTANCES,
  }: RegistryOptions,
) {
  const enter = createConcurrency(concurrentExecutions, definitions);
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const slots = new Map(definitions.map(({ name }) => [name, createSlots(maxHandlersAtWork)]));
  const running = new Set<Promise<InvokeResult>>();
  const instances = new Map(
    definitions.map((definition) => {
      const load = () => importHandler(definition);
      return [definition.name, createInstances(definition, { clock, identities, maxInstances, coldStartMs, load })];
    }),
  );

  async function run(definition: FunctionDefinition, event: unknown, trace: string): Promise<InvokeResult> {
    const pool = instances.get(definition.name) as ReturnType<typeof createInstances>;
    let instance: Instance | undefined;
    try {
      const input: unknown = JSON.parse(serialize(event, 'event'));
      const taken = pool.take();
      instance = taken instanceof Promise ? await taken : taken;
      const output = await withTimeout(clock, definition.timeoutMs, callOf(definition, instance, input, trace));
      const payload = output === undefined ? null : (JSON.parse(serialize(output, 'answer')) as unknown);
      pool.give(instance);
      return { ok: true, payload };
    } catch (error) {
      if (instance && error instanceof TaskTimedOut) pool.retire(instance);
      else if (instance) pool.give(instance);
      log(`lambda ${definition.name} failed: ${oneLine(error)}`);
      const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
      return failure('failed', name, message);
    }
  }

  /** One call of a handler. On a share of a processor it begins later by what it would take longer. */
  function callOf(definition: FunctionDefinition, instance: Instance, input: unknown, trace: string) {
    const { handler } = instance;
    const environment = { ...instance.environment, ...traceVariables(definition.name, trace) };
    const context = lambdaContext(definition, clock);
    const call = () => inEnvironment(environment, () => handler(input, context));
    if (callVcpuMs === 0) return async () => call();
    const delayMs = callVcpuMs / Math.min(1, definition.memoryMb / VCPU_MEMORY_MB);
    return () => new Promise<void>((resolve) => clock.after(delayMs, resolve)).then(call);
  }

  /** Never rejects. */
  function begin(definition: FunctionDefinition, work: () => Promise<InvokeResult>, end: () => void, caller = '') {
    const result = (slots.get(definition.name)?.(work, caller) ?? work()).finally(end);
    running.add(result);
    void result.then(() => running.delete(result));
    return result;
  }

  return {
    /** Imports every entry file. @throws Error naming the function, its file and what is wrong with it. */
    async load(): Promise<void> {
      await Promise.all([...instances.values()].map((pool) => pool.start()));
    },
    /**
     * Calls the handler and waits for its answer. Never waits for a place: past the account's or the function's concurrent
     * executions it is throttled at once. Never rejects.
     *
     * @throws Error (synchronously) when no such function exists
     */
    invoke(
      nameOrArn: string,
      event: unknown,
      { limitMs, caller, by, traces }: InvokeOptions = {},
    ): Promise<InvokeResult> {
      const definition = byName.get(functionNameIn(nameOrArn));
      if (!definition) throw new Error(`No function called "${nameOrArn}" among: ${[...byName.keys()].join(', ')}`);
      if (by && !mayInvoke(definition.permissions, by)) {
        log(`lambda ${definition.name}: its policy does not let ${by.service} invoke it for ${by.sourceArn}`);
        const text = `User: ${by.service} is not authorized to perform: lambda:InvokeFunction on resource: ${definition.arn}`;
        return Promise.resolve(failure('failed', 'AccessDeniedException', text));
      }
      const trace = nextTrace(definition.name, traces);
      if (trace === undefined) {
        const text = `Lambda detected a recursive loop that calls ${definition.name}`;
        log(`lambda ${definition.name}: ${text}`);
        return Promise.resolve(failure('failed', 'RecursiveInvocationException', text));
      }
      const entered = enter(definition.name);
      if (typeof entered === 'string') {
        log(`lambda ${definition.name} throttled: ${entered}`);
        return Promise.resolve(failure('throttled', 'TooManyRequestsException', `Rate Exceeded: ${entered}`));
      }
      const result = begin(definition, () => run(definition, event, trace), entered, caller);
      return limitMs === undefined ? result : answerWithin(clock, limitMs, result);
    },
    /** Resolves when no invocation is running. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Modules loaded by this process so far: each instance has its entry for itself, and what that makes when it is loaded. */
let loads = 0;

async function importHandler(definition: FunctionDefinition): Promise<Handler> {
  const file = resolve(repository, definition.entry);
  let loaded: Record<string, unknown>;
  try {
    loads += 1;
    const url = `${pathToFileURL(file).href}?instance=${loads}`;
    loaded = (await inEnvironment(definition.environment, () => import(url))) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`Function ${definition.name}: cannot import ${definition.entry}: ${oneLine(error)}`, {
      cause: error,
    });
  }
  const handler = loaded[definition.exportName];
  if (typeof handler !== 'function') {
    throw new Error(`Function ${definition.name}: ${definition.entry} exports no function "${definition.exportName}"`);
  }
  return handler as Handler;
}

function serialize(value: unknown, what: string): string {
  const json = JSON.stringify(value) ?? 'null';
  const bytes = Buffer.byteLength(json);
  if (bytes > maxPayloadBytes) {
    throw new Error(`The ${what} is ${bytes} bytes; Lambda's limit is ${maxPayloadBytes}`);
  }
  return json;
}

/**
 * A handler that exceeds its time keeps running, because a process cannot stop a part of itself. Its result is dropped, and
 * what it sends from then on is not answered.
 */
function withTimeout<T>(clock: Clock, limitMs: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolvePromise, reject) => {
    const cancel = clock.after(limitMs, () => reject(new TaskTimedOut(limitMs)));
    work().then(resolvePromise, reject).finally(cancel);
  });
}

/** The error of a function that exceeds its timeout. */
class TaskTimedOut extends Error {
  override readonly name = 'Sandbox.Timedout';

  constructor(limitMs: number) {
    super(`Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`);
  }
}

/** Waits as long as the caller does. The invocation continues. */
function answerWithin(clock: Clock, limitMs: number, result: Promise<InvokeResult>): Promise<InvokeResult> {
  return new Promise((resolvePromise) => {
    const text = `No answer within ${(limitMs / 1000).toFixed(2)} seconds`;
    const cancel = clock.after(limitMs, () => resolvePromise(failure('unanswered', 'CallerGaveUp', text)));
    void result.then(resolvePromise).finally(cancel);
  });
}
