import { ManagementApi } from '../push/managementApi.ts';
import { defaultProvider } from './credentials.ts';
import { requireEnv } from './environment.ts';

/** Posts to the connections of the stage that the stack names in the environment. */
export function senderFromEnv(): ManagementApi {
  return new ManagementApi({
    endpoint: requireEnv('CONNECTIONS_ENDPOINT'),
    region: requireEnv('AWS_REGION'),
    keys: defaultProvider(),
  });
}
