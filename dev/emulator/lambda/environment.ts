import { AsyncLocalStorage } from 'node:async_hooks';
import type { FunctionDefinition } from './definition.ts';

/** The variables that mean the same to all functions that have them, for clients outside of functions. */
export function sharedEnvironment(functions: readonly FunctionDefinition[]): Record<string, string> {
  const values = new Map<string, Set<string>>();
  for (const { environment } of functions) {
    for (const [variable, value] of Object.entries(environment)) {
      values.set(variable, (values.get(variable) ?? new Set()).add(value));
    }
  }
  return Object.fromEntries(
    [...values].flatMap(([variable, [first, ...others]]) => (others.length > 0 ? [] : [[variable, first as string]])),
  );
}

/**
 * Puts `changes` into `process.env` (undefined removes a variable).
 *
 * @returns a function that puts back what was there before.
 */
export function applyEnvironment(changes: Readonly<Record<string, string | undefined>>): () => void {
  const before = Object.keys(changes).map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const [name, value] of Object.entries(changes)) set(name, value);
  return () => {
    for (const [name, value] of before) set(name, value);
  };
}

/** The variables that one instance has besides those of the process. */
export type InstanceEnvironment = Readonly<Record<string, string>>;

const current = new AsyncLocalStorage<InstanceEnvironment>();

/** Runs `work`, and all that it begins, in an instance's environment. It takes {@link playEnvironments} for it to show. */
export function inEnvironment<T>(environment: InstanceEnvironment, work: () => T): T {
  return current.run(environment, work);
}

/**
 * Lets each instance see its own variables in `process.env`, and none of `others` that it does not have. Everybody else sees
 * what there was.
 *
 * @returns a function that ends it.
 */
export function playEnvironments(others: readonly string[]): () => void {
  const shared = process.env;
  const hidden = new Set(others);
  const seen = (): NodeJS.ProcessEnv => {
    const own = current.getStore();
    if (!own) return shared;
    return { ...Object.fromEntries(Object.entries(shared).filter(([name]) => !hidden.has(name))), ...own };
  };
  const value = (name: string | symbol): string | undefined => {
    const own = current.getStore();
    if (typeof name === 'symbol' || !own) return shared[name as string];
    return own[name] ?? (hidden.has(name) ? undefined : shared[name]);
  };
  process.env = new Proxy(shared, {
    get: (_target, name) => value(name),
    // Without the proxy as receiver, which process.env does not take.
    set: (_target, name, text) => Reflect.set(shared, name, text),
    has: (_target, name) => value(name) !== undefined,
    ownKeys: () => Reflect.ownKeys(seen()),
    getOwnPropertyDescriptor: (_target, name) => Reflect.getOwnPropertyDescriptor(seen(), name),
  });
  return () => {
    process.env = shared;
  };
}
