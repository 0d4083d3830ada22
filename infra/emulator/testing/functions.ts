import type { FunctionRegistry, InvokeResult } from '../lambda/registry.ts';

/** A registry in which every function is `answer`; an error it throws is the invocation's. */
export function registryOf(answer: (event: never) => unknown): FunctionRegistry {
  return {
    load: async () => {},
    idle: async () => {},
    async invoke(_name, event): Promise<InvokeResult> {
      try {
        return { ok: true, payload: (await answer(event as never)) ?? null };
      } catch (error) {
        return { ok: false, errorType: 'Error', errorMessage: (error as Error).message };
      }
    },
  };
}
