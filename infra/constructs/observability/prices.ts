/**
 * What AWS charges for what this deployment uses most, in US dollars, in us-east-1, at the first tier and without any free
 * tier; as of November 2026. For the dashboard's estimate: it is no bill. Other regions are up to half as much again.
 *
 * Sources: https://aws.amazon.com/api-gateway/pricing/, https://aws.amazon.com/lambda/pricing/ and
 * https://aws.amazon.com/dynamodb/pricing/on-demand/.
 */
export const prices = {
  /** A WebSocket message of up to 32 KB, either way, pings and pongs included. */
  webSocketMessage: 1 / 1e6,
  /** A minute of one open connection. */
  connectionMinute: 0.25 / 1e6,
  /** A request to the HTTP API of up to 512 KB. */
  httpRequest: 1 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** A second of a function with 1 GB of memory, on arm64. */
  lambdaGbSecond: 0.0000133334,
  /** A unit read on demand: 4 KB strongly consistent, 8 KB eventually. */
  readUnit: 0.125 / 1e6,
  /** A unit written on demand: 1 KB; a transaction takes two. */
  writeUnit: 0.625 / 1e6,
} as const;
