import {
  AllowedMethods,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  KeyValueStore,
} from 'aws-cdk-lib/aws-cloudfront';
import { VpcOrigin as Origin, OriginGroup } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Instance } from 'aws-cdk-lib/aws-ec2';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { DOOR_HEADER } from '../../../shared/protocol/doorHeader.ts';
import { HINT_KEY } from '../../../shared/tier/tier.ts';
import { type FrontDoorSettings, secretText } from '../../config/frontDoor.ts';
import { addDistribution, apiOrigin, passOnTo } from '../domain/distribution.ts';
import type { ApiUris } from '../flagwireBase.ts';
import { stageName } from '../streaming/streamingApi.ts';
import { addHostOrigin, nameIn } from './hostOrigin.ts';

/**
 * Time in which a host must answer a handshake. A hung host costs each handshake this time, until the watchdog ends it. It is above the ping
 * interval of SDKs, because it could also apply to open connections.
 */
const READ_TIMEOUT = Duration.seconds(20);

/**
 * Called before each handshake. With the hint `gateway`, it goes there at once. Without a hint, with another one, or if the store fails, it
 * goes to the group. A handshake is refused if the function itself fails.
 */
const HINT_FUNCTION = `import cf from 'cloudfront';
async function handler(event) {
  let hint;
  try {
    hint = await cf.kvs().get('${HINT_KEY}');
  } catch (error) {
    return event.request;
  }
  if (hint === 'gateway') cf.selectRequestOriginById('gateway');
  return event.request;
}
`;

/**
 * Adds one address for a host and API Gateway. Handshakes go to the host, and to API Gateway if the host refuses or answers with a 5xx, or at
 * once if the tier is API Gateway. HTTP requests go to the HTTP API.
 *
 * CloudFront fails over only for GET, HEAD and OPTIONS, and refuses a behavior with a group and POST. It hides `Upgrade` from functions, so
 * the path decides. The construct has the id and the distribution of a host with TLS, which can therefore change to it.
 *
 * @returns with the store of {@link HINT_KEY}
 */
export function addFrontDoor(
  parent: Construct,
  instance: Instance,
  { domainName: name, secrets, ...settings }: FrontDoorSettings,
  apis: ApiUris,
) {
  const scope = new Construct(parent, 'Edge');
  const origin = addHostOrigin(scope, instance);
  const host = Origin.withVpcOrigin(origin, {
    originId: 'host',
    connectionAttempts: 1,
    connectionTimeout: Duration.seconds(1),
    readTimeout: READ_TIMEOUT,
  });
  const gateway = apiOrigin(apis.streaming, {
    originId: 'gateway',
    ...(secrets?.[0] !== undefined && { customHeaders: { [DOOR_HEADER]: secretText(secrets[0]) } }),
  });
  const group = new OriginGroup({
    primaryOrigin: host,
    fallbackOrigin: gateway,
    // A refused connection counts as 503, and one without an answer as 504.
    fallbackStatusCodes: [500, 502, 503, 504],
  });
  const { stackName, region } = Stack.of(scope);
  const keyValueStoreName = nameIn(region, `${stackName}-${scope.node.addr.slice(-8)}`);
  const hints = new KeyValueStore(scope, 'Hints', { keyValueStoreName });
  const code = FunctionCode.fromInline(HINT_FUNCTION);
  const choose = new EdgeFunction(scope, 'Choose', {
    functionName: keyValueStoreName,
    code,
    keyValueStore: hints,
  });
  const streaming = {
    ...passOnTo(group),
    allowedMethods: AllowedMethods.ALLOW_GET_HEAD_OPTIONS,
    functionAssociations: [{ function: choose, eventType: FunctionEventType.VIEWER_REQUEST }],
  };
  const distribution = addDistribution(
    scope,
    { ...settings, name },
    {
      defaultBehavior: passOnTo(apiOrigin(apis.http, { originId: 'http' })),
      additionalBehaviors: { [`/${stageName}*`]: streaming },
    },
  );
  return { origin, distribution, hints };
}
