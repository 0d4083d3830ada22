import { FAST_POLL_SECONDS } from '../../config/values.ts';

/** The host's environment variable for `fastPollSeconds`; none at the host's own default. */
export function fastPollSettings({
  fastPollSeconds,
}: {
  readonly fastPollSeconds: number;
}): Readonly<Record<string, string>> {
  return fastPollSeconds === FAST_POLL_SECONDS ? {} : { FAST_POLL_MS: String(fastPollSeconds * 1_000) };
}
