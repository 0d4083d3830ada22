/** The host's environment variable for `fastPollSeconds`; none where the host's own default holds. */
export function fastPollSettings({
  fastPollSeconds,
}: {
  readonly fastPollSeconds?: number;
}): Readonly<Record<string, string>> {
  return fastPollSeconds === undefined ? {} : { FAST_POLL_MS: String(fastPollSeconds * 1_000) };
}
