import type { FunctionDefinition } from './definition.ts';

/** The `Reason` of a `TooManyRequestsException` of Lambda. */
export type ThrottleReason = 'ConcurrentInvocationLimitExceeded' | 'ReservedFunctionConcurrentInvocationLimitExceeded';

/** Begins an invocation. @returns a function that ends it, or why it must not begin */
type Enter = () => (() => void) | ThrottleReason;

/** Concurrent executions that an account has to leave to functions that reserve none; a smaller account, all it has. */
const minUnreserved = 100;

/**
 * Counts invocations against an account's concurrent executions. A function that reserves some has those to itself and no
 * others; all the others share what is left.
 *
 * Source: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 *
 * @param limit concurrent executions of the account
 * @returns a function that begins an invocation of a function, by its name
 * @throws Error naming the functions that reserve more than an account of this size lets them
 */
export function createConcurrency(
  limit: number,
  functions: readonly FunctionDefinition[],
): (functionName: string) => ReturnType<Enter> {
  const reserving = functions.filter(({ reservedConcurrency }) => reservedConcurrency !== undefined);
  const reserved = reserving.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, 0);
  const least = Math.min(limit, minUnreserved);
  if (limit - reserved < least) {
    const each = reserving.map(({ name, reservedConcurrency }) => `${name} ${reservedConcurrency}`).join(', ');
    throw new Error(
      `Functions reserve ${reserved} of the account's ${limit} concurrent executions (${each}), and at least ${least} must ` +
        'stay unreserved: reserve fewer, or choose an account with more',
    );
  }
  const shared = createPool(limit - reserved, 'ConcurrentInvocationLimitExceeded');
  const own = new Map(
    reserving.map(({ name, reservedConcurrency = 0 }) => [
      name,
      createPool(reservedConcurrency, 'ReservedFunctionConcurrentInvocationLimitExceeded'),
    ]),
  );
  return (functionName) => (own.get(functionName) ?? shared)();
}

function createPool(size: number, whenFull: ThrottleReason): Enter {
  let running = 0;
  return () => {
    if (running >= size) return whenFull;
    running += 1;
    return () => {
      running -= 1;
    };
  };
}
