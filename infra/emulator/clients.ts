import { localAccount, localRegion } from './template/account.ts';

/**
 * The environment in which AWS SDK clients find the emulator: endpoints, region, and credentials that open nothing
 * else. What would lead them elsewhere is unset (undefined).
 */
export function clientEnvironment(endpoints: {
  dynamoDb: string;
  services: string;
}): Record<string, string | undefined> {
  return {
    AWS_REGION: localRegion,
    AWS_ACCOUNT_ID: localAccount,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamoDb,
    AWS_ENDPOINT_URL_SQS: endpoints.services,
    AWS_ENDPOINT_URL_FIREHOSE: endpoints.services,
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
    AWS_DEFAULT_PROFILE: undefined,
    AWS_ENDPOINT_URL: undefined,
    AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: undefined,
  };
}

/** The variables of an environment that have a value. */
export function onlySet(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
