import { init, type LDClient } from '@launchdarkly/node-server-sdk';
import { TestData } from '@launchdarkly/node-server-sdk/integrations';

/** Flags and segments in the form of SDKs, by key. */
interface SdkData {
  readonly flags: Readonly<Record<string, object>>;
  readonly segments?: Readonly<Record<string, object>>;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** LaunchDarkly's own SDK with given data, offline. Must be closed. */
export async function launchDarklyWith({ flags, segments = {} }: SdkData): Promise<LDClient> {
  const data = new TestData();
  for (const [key, flag] of Object.entries(flags)) await data.usePreconfiguredFlag({ key, ...flag });
  for (const [key, segment] of Object.entries(segments)) await data.usePreconfiguredSegment({ key, ...segment });
  const client = init('sdk-key', {
    updateProcessor: data.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: silent,
  });
  await client.waitForInitialization({ timeout: 10 });
  return client;
}
