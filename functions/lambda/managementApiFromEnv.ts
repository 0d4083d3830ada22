import { systemEffects } from '../../shared/runtime/effects.ts';
import { managementApi } from '../gateway/managementApi.ts';
import { defaultProvider } from './credentials.ts';
import { requireEnv } from './fromEnv.ts';

/** The connections of the stage. */
export function managementApiFromEnv() {
  const [endpoint, region] = [requireEnv('CONNECTIONS_ENDPOINT'), requireEnv('AWS_REGION')];
  return managementApi({ endpoint, region, keys: defaultProvider() }, systemEffects);
}
