import type { Effects } from '../../shared/runtime/effects.ts';
import { ManagementApi } from '../gateway/managementApi.ts';
import { defaultProvider } from './credentials.ts';
import { requireEnv } from './environment.ts';

/** Posts to the connections of the stage that the stack names in the environment. */
export function senderFromEnv(effects: Effects): ManagementApi {
  const [endpoint, region] = [requireEnv('CONNECTIONS_ENDPOINT'), requireEnv('AWS_REGION')];
  return new ManagementApi({ endpoint, region, keys: defaultProvider() }, effects);
}
