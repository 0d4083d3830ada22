/**
 * Ping interval of FeatBit's JavaScript, Node, Android and React Native SDKs and of its benchmark, in seconds.
 * SDKs choose it; idle times: `IDLE_TIMEOUT_MS` (functions/host/settings/config.ts), `IDLE_SECONDS` (infra/constructs/fargate).
 */
export const SDK_PING_SECONDS = 18;
