import { randomBytes } from 'node:crypto';

/** Calls of a function in one chain. Source: Lambda's guide, "Use Lambda recursive loop detection", which says "approximately 16". */
const MAX_CALLS = 16;

/** The variables by which the SDK's middleware passes a chain on. */
export const traceVariables = (functionName: string, trace: string) => ({
  AWS_LAMBDA_FUNCTION_NAME: functionName,
  _X_AMZN_TRACE_ID: trace,
});

/**
 * The trace header of a function's next call. It counts the calls of each function in the chain.
 *
 * @param before the headers of the messages that the call receives. Without any, the call begins a chain
 * @returns undefined if Lambda ends the chain
 */
export function nextTrace(functionName: string, before: readonly (string | undefined)[] = []): string | undefined {
  const calls = before.map((trace) => readCalls(trace ?? ''));
  const own = Math.max(0, ...calls.map((each) => each.get(functionName) ?? 0));
  if (own >= MAX_CALLS) return undefined;
  const all = new Map([...calls.flatMap((each) => [...each]), [functionName, own + 1]]);
  const id = randomBytes(16).toString('hex');
  const root = /^Root=[^;]+/.exec(before[0] ?? '')?.[0] ?? `Root=1-${id.slice(0, 8)}-${id.slice(8)}`;
  return `${root};Sampled=0;Lineage=${[...all].map(([name, count]) => `${name}:${count}`).join('|')}`;
}

function readCalls(trace: string): Map<string, number> {
  const [, lineage = ''] = /;Lineage=([^;]+)/.exec(trace) ?? [];
  const entries = [...lineage.matchAll(/([^:|]+):(\d+)/g)];
  return new Map(entries.map(([, name = '', count]) => [name, Number(count)]));
}
