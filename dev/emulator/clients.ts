import type { AccessKey } from './iam/identities.ts';
import { localAccount, localRegion } from './template/account.ts';

/**
 * The environment in which AWS SDK clients find the emulator: endpoints, region, and an access key that opens nothing
 * else. What would lead them elsewhere is unset (undefined).
 */
export function clientEnvironment(at: {
  readonly dynamoDb: string;
  readonly services: string;
  readonly sts?: string;
  readonly accessKey: AccessKey;
}): Record<string, string | undefined> {
  const { dynamoDb, services, sts, accessKey } = at;
  return {
    AWS_REGION: localRegion,
    AWS_ACCOUNT_ID: localAccount,
    AWS_ACCESS_KEY_ID: accessKey.accessKeyId,
    AWS_SECRET_ACCESS_KEY: accessKey.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamoDb,
    AWS_ENDPOINT_URL_SQS: services,
    AWS_ENDPOINT_URL_FIREHOSE: services,
    AWS_ENDPOINT_URL_EVENTBRIDGE: services,
    AWS_ENDPOINT_URL_CLOUDWATCH: services,
    AWS_ENDPOINT_URL_RESOURCE_GROUPS_TAGGING_API: services,
    AWS_ENDPOINT_URL_STS: sts,
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
