import { deliveriesFor, postRates } from '../../infra/config/postRates.ts';
import { WEBHOOK_LIMITS } from '../../infra/constructs/streaming/routeShares.ts';
import { awsProfiles } from '../emulator/awsProfiles.ts';

type Templates = ReturnType<typeof import('../../infra/inProcess.ts').synthesizeTemplates>;

/** Requests a second, and at once above them, that a deployment admits: the names of its settings. */
interface Throttle {
  readonly throttlingRate: number;
  readonly throttlingBurst: number;
}

/** The throttle of the templates in the package. */
export const RECORDED: Throttle = {
  throttlingRate: awsProfiles.default.requests.perSecond,
  throttlingBurst: awsProfiles.default.requests.burst,
};

/**
 * The templates for another throttle, without CDK. Their metadata and the text of their alarms stay the same, because the emulator
 * does not read them.
 *
 * @param recorded JSON of the templates for {@link RECORDED}
 */
export function throttledTemplates(recorded: string, { throttlingRate, throttlingBurst }: Throttle): Templates {
  const deliverConcurrency = deliveriesFor(throttlingRate);
  const recordedConcurrency = deliveriesFor(RECORDED.throttlingRate);
  const rates = postRates({ throttlingRate, deliverConcurrency });
  const recordedRates = postRates({ ...RECORDED, deliverConcurrency: recordedConcurrency });
  // Each function has its own rate, so the recorded number names the function.
  const posts = new Map(
    (['deliver', 'sync', 'heal'] as const).map((name) => [String(recordedRates[name]), String(rates[name])]),
  );
  const share = (part: unknown, of: number, whole: number) => Math.max(1, Math.round((Number(part) / of) * whole));
  return JSON.parse(recorded, (name, value: unknown) => {
    if (name.startsWith('Throttling') && value === WEBHOOK_LIMITS.rateLimit) return value;
    if (name === 'ThrottlingRateLimit') return share(value, RECORDED.throttlingRate, throttlingRate);
    if (name === 'ThrottlingBurstLimit') return share(value, RECORDED.throttlingBurst, throttlingBurst);
    if (name === 'POSTS_PER_SECOND') return posts.get(String(value));
    if (name === 'GROUPS_PER_ENVIRONMENT') return String(deliverConcurrency - 1);
    if (name === 'MaximumConcurrency' && value === recordedConcurrency) return deliverConcurrency;
    return value;
  });
}
