import { FUNCTION_GB, POSTS_PER_SECOND_A_CALL, type UsedFunction } from '../prices/serviceFacts.ts';
import judged from './judged.json' with { type: 'json' };
import type { Measurements } from './measured.ts';
import { exactly, type Range } from './rangesOf.ts';

/** Where the measurements of the functions are. */
export const FUNCTIONS = 'docs/results/functions.json';

/** How much longer the same work takes on Lambda than on the machine that was measured: as on Fargate. */
const CORE_FACTOR = judged.fargateCoreFactor;

/** Memory that comes with one whole processor, in GB. */
const GB_OF_A_CORE = 1_769 / 1_024;
const MEMORY_GUIDE = 'https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html';

/** A request to another service within the region, in milliseconds. */
const ROUND_TRIP = { low: 2, expected: 4, high: 9 };
const LATENCY = 'single-digit by https://aws.amazon.com/dynamodb/features/';

/** Requests that a call makes one after another; connect knows most secrets already, and heal makes several at once. */
const REQUESTS: Readonly<Record<UsedFunction, number>> = {
  connect: 1.5,
  sync: 4,
  disconnect: 1,
  http: 1,
  publish: 2,
  deliver: 5,
  heal: 1,
};

/** A post to a connection, in milliseconds, as users report it; AWS documents no time. Those of deliver are under way together. */
const POST = { low: 6, expected: 12, high: 30 };

const NAMES = Object.keys(REQUESTS) as UsedFunction[];

/** How long functions run: their measured processor time on the share of a core that comes with their memory, and waiting. */
export function durations({ calls }: Measurements): Readonly<Record<`${UsedFunction}Ms`, Range>> {
  const rangeOf = (name: UsedFunction): Range => {
    const requests = REQUESTS[name];
    const posts = name === 'sync' ? 1 : 0;
    const posted = posts > 0 ? `, and ${posts} post of ${POST.low} to ${POST.high} ms, as users report` : '';
    const ms = (which: 'low' | 'expected' | 'high') => {
      const cpuMs = calls[name].cpuMs * CORE_FACTOR[which] * (GB_OF_A_CORE / FUNCTION_GB[name]);
      return Math.max(1, cpuMs + requests * ROUND_TRIP[which] + posts * POST[which]);
    };
    return {
      expected: ms('expected'),
      low: ms('low'),
      high: ms('high'),
      unit: 'ms',
      meaning: `${name}: billed duration of a call`,
      source: `processor time from ${FUNCTIONS} on its share of a core (${MEMORY_GUIDE}), and ${requests} request${requests === 1 ? '' : 's'} of ${ROUND_TRIP.low} to ${ROUND_TRIP.high} ms, ${LATENCY}${posted}`,
    };
  };
  return Object.fromEntries(NAMES.map((name) => [`${name}Ms`, rangeOf(name)])) as Record<`${UsedFunction}Ms`, Range>;
}

/**
 * Time for a message to a connection, many of which are under way at once: the processor's, or in a large environment what
 * messages wait for their turn.
 */
export function postDuration({ calls }: Measurements): Range {
  const post = (calls.post.cpuMs * GB_OF_A_CORE) / FUNCTION_GB.deliver;
  const pacedMs = 1_000 / POSTS_PER_SECOND_A_CALL;
  return {
    expected: post * CORE_FACTOR.expected,
    low: post * CORE_FACTOR.low,
    high: Math.max(pacedMs, post * CORE_FACTOR.high),
    unit: 'ms',
    meaning: 'deliver: billed duration of each message to a connection',
    source: `processor time from ${FUNCTIONS} on its share of a core (${MEMORY_GUIDE}); high: a call sends ${POSTS_PER_SECOND_A_CALL} a second`,
  };
}

/** What functions write to their logs; Lambda itself adds a line only where a call fails (level WARN of its system logs). */
export function logSizes({ calls }: Measurements): Readonly<Record<`${UsedFunction}LogBytes`, Range>> {
  const rangeOf = (name: UsedFunction) => exactly(calls[name].logBytes, 'bytes', `${name}: log of a call`, FUNCTIONS);
  return Object.fromEntries(NAMES.map((name) => [`${name}LogBytes`, rangeOf(name)])) as Record<
    `${UsedFunction}LogBytes`,
    Range
  >;
}
