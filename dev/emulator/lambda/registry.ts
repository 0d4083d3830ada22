import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { oneLine } from '../log.ts';
import { createConcurrency } from './concurrency.ts';
import { lambdaContext } from './context.ts';
import type { FunctionDefinition } from './definition.ts';
import type { InvokeResult } from './result.ts';
import { throttled, unanswered } from './result.ts';
import { createSlots } from './slots.ts';

/** The functions of the stack, invocable by name or ARN (also one with a version or alias behind it). */
export interface FunctionRegistry {
  /** Imports every entry file. @throws Error naming the function, its file and what is wrong with it. */
  load(): Promise<void>;
  /**
   * Calls the handler and waits for its answer, at most `limitMs`: then the invocation goes on without a caller. Never
   * waits for a place: past the account's or the function's concurrent executions it is throttled at once. Never rejects;
   * @param caller whose invocation it is: handlers begin in turn for those who have called
   * @throws Error (synchronously) when no such function exists. */
  invoke(nameOrArn: string, event: unknown, limitMs?: number, caller?: string): Promise<InvokeResult>;
  /** Resolves when no invocation is running. */
  idle(): Promise<void>;
}

/** What a {@link FunctionRegistry} needs besides the definitions. */
interface RegistryOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Concurrent executions of the account. */
  readonly concurrentExecutions: number;
}

/**
 * Handlers of one function that work at once in this process. Invocations beyond them count as running, as on AWS, but
 * their handlers begin when others end: a crowd of handlers in one process only delays each other. A thousand clients that
 * connect and sync at once took 17 s without this bound and 5 s with it.
 */
const maxHandlersAtWork = 50;

type Handler = (event: unknown, context: unknown) => unknown;

/** Largest event and largest answer of a synchronous invocation, in bytes of JSON (Lambda's 6 MB quota). */
export const maxPayloadBytes = 6 * 1024 * 1024;

const repository = resolve(import.meta.dirname, '../../..');

/** Makes the registry of `definitions`. The environment must be in place before `load`. */
export function createFunctionRegistry(
  definitions: readonly FunctionDefinition[],
  { clock, log, concurrentExecutions }: RegistryOptions,
): FunctionRegistry {
  const concurrency = createConcurrency(concurrentExecutions, definitions);
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const handlers = new Map<string, Handler>();
  const slots = new Map(definitions.map(({ name }) => [name, createSlots(maxHandlersAtWork)]));
  const running = new Set<Promise<InvokeResult>>();
  const registry = ++registries;

  async function run(definition: FunctionDefinition, event: unknown): Promise<InvokeResult> {
    const handler = handlers.get(definition.name);
    try {
      if (!handler) throw new Error(`${definition.name} is not loaded`);
      const input: unknown = JSON.parse(serialize(event, 'event'));
      const context = lambdaContext(definition, clock);
      const output = await withTimeout(clock, definition.timeoutMs, async () => handler(input, context));
      return { ok: true, payload: output === undefined ? null : (JSON.parse(serialize(output, 'answer')) as unknown) };
    } catch (error) {
      log(`lambda ${definition.name} failed: ${oneLine(error)}`);
      const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
      return { ok: false, reason: 'failed', errorType: name, errorMessage: message };
    }
  }

  /** Never rejects. */
  function begin(definition: FunctionDefinition, event: unknown, end: () => void, caller = ''): Promise<InvokeResult> {
    const work = () => run(definition, event);
    const result = (slots.get(definition.name)?.run(work, caller) ?? work()).finally(end);
    running.add(result);
    void result.then(() => running.delete(result));
    return result;
  }

  return {
    async load() {
      await Promise.all(
        definitions.map(async (definition) => handlers.set(definition.name, await importHandler(definition, registry))),
      );
    },
    invoke(nameOrArn, event, limitMs, caller) {
      const name = nameOrArn.startsWith('arn:') ? nameOrArn.split(':')[6] : nameOrArn.split(':')[0];
      const definition = byName.get(name ?? '');
      if (!definition) throw new Error(`No function called "${nameOrArn}" among: ${[...byName.keys()].join(', ')}`);
      const entered = concurrency.enter(definition.name);
      if (typeof entered === 'string') {
        log(`lambda ${definition.name} throttled: ${entered}`);
        return Promise.resolve(throttled(entered));
      }
      const result = begin(definition, event, entered, caller);
      return limitMs === undefined ? result : answerWithin(clock, limitMs, result);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Registries of this process so far: an entry reads its environment when it is loaded, so each loads its own. */
let registries = 0;

async function importHandler(definition: FunctionDefinition, registry: number): Promise<Handler> {
  const file = resolve(repository, definition.entry);
  let loaded: Record<string, unknown>;
  try {
    loaded = (await import(`${pathToFileURL(file).href}?registry=${registry}`)) as Record<string, unknown>;
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

/** A handler that exceeds its time keeps running (a process cannot freeze a part of itself); its result is dropped. */
function withTimeout<T>(clock: Clock, limitMs: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolvePromise, reject) => {
    const cancel = clock.after(limitMs, () => reject(new TaskTimedOut(limitMs)));
    work().then(resolvePromise, reject).finally(cancel);
  });
}

/** What Lambda reports when a function has used up its time. */
class TaskTimedOut extends Error {
  override readonly name = 'Sandbox.Timedout';

  constructor(limitMs: number) {
    super(`Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`);
  }
}

function answerWithin(clock: Clock, limitMs: number, result: Promise<InvokeResult>): Promise<InvokeResult> {
  return new Promise((resolvePromise) => {
    const cancel = clock.after(limitMs, () => resolvePromise(unanswered(limitMs)));
    void result.then(resolvePromise).finally(cancel);
  });
}
