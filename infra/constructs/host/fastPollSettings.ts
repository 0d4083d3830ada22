import { FAST_POLL_SECONDS } from '../../config/values.ts';

/** The host's environment variable for `fastPollSeconds`. Empty for the host's default. */
export function fastPollSettings({
  fastPollSeconds,
}: {
  readonly fastPollSeconds: number;
}): Readonly<Record<string, string>> {
  return fastPollSeconds === FAST_POLL_SECONDS ? {} : { FAST_POLL_MS: String(fastPollSeconds * 1_000) };
}
