import type { FunctionDefinition } from '../lambda/definition.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { InvokeResult } from '../lambda/result.ts';

/** A function whose handler does as its event says (handlers/probe.ts), with changes. */
export function functionDefinition(name: string, changes: Partial<FunctionDefinition> = {}): FunctionDefinition {
  return {
    name,
    arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    entry: 'dev/emulator/testing/handlers/probe.ts',
    exportName: 'handler',
    timeoutMs: 1000,
    memoryMb: 256,
    environment: {},
    role: { name: 'none', statements: [] },
    permissions: [],
    ...changes,
  };
}

/** Thrown by an answer of {@link registryOf}: the function was not started at all. */
export class Throttled extends Error {
  override readonly name = 'TooManyRequestsException';
}

/** A registry in which every function is `answer`; an error it throws is the invocation's. */
export function registryOf(answer: (event: never) => unknown): FunctionRegistry {
  return {
    load: async () => {},
    idle: async () => {},
    async invoke(_name, event): Promise<InvokeResult> {
      try {
        return { ok: true, payload: (await answer(event as never)) ?? null };
      } catch (error) {
        const { name, message } = error as Error;
        const reason = error instanceof Throttled ? 'throttled' : 'failed';
        return { ok: false, reason, errorType: name, errorMessage: message };
      }
    },
  };
}
