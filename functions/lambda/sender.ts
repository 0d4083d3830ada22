import { ManagementApi } from '../push/managementApi.ts';
import type { Pace } from '../push/pace.ts';
import { defaultProvider } from './credentials.ts';
import { requireEnv } from './environment.ts';

/** Posts to the connections of the stage that the stack names in the environment. @param pace of requests; any unless given */
export function senderFromEnv(pace?: Pace): ManagementApi {
  const target = {
    endpoint: requireEnv('CONNECTIONS_ENDPOINT'),
    region: requireEnv('AWS_REGION'),
    keys: defaultProvider(),
  };
  return new ManagementApi(target, pace && { turn: () => pace.turn() });
}
