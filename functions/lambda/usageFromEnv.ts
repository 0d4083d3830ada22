import type { Effects } from '../../shared/runtime/effects.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { Usage } from '../../shared/store/usage/usage.ts';
import { createUsageCounter } from '../../shared/store/usage/usageCounter.ts';
import { flagsByKey, type UsageSink } from '../http/usageSink.ts';
import { LimitedLog } from '../telemetry/limitedLog.ts';

/** Maximum number of flags in memory, of which one environment can have half. SDKs send up to 50 events in a request. */
const FLAG_LIMIT = 200;

/**
 * Counts evaluations in the usage table that the stack names in the environment. It writes before the request is answered, because an instance
 * may stop at any time after that. What the table throttled is written with the next request, so a flood in one environment drops no counts of
 * others.
 *
 * @returns nothing if the deployment does not count evaluations
 */
export function usageFromEnv(effects: Effects): { readonly usage?: UsageSink } {
  const name = process.env['USAGE_TABLE'];
  if (!name) return {};
  const usage = new Usage({ client: createDynamoDb({ silenceMs: 1_000, maxAttempts: 1 }), name, effects });
  const limited = new LimitedLog(effects.now);
  const counter = createUsageCounter(usage, effects.now, FLAG_LIMIT, (...line) => limited.warn(...line));
  return {
    usage: {
      count: async (envId, snapshot, evaluations) => {
        counter.add(envId, flagsByKey(snapshot), evaluations);
        await counter.flush();
      },
    },
  };
}
