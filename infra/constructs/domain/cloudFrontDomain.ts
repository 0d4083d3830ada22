import { Construct } from 'constructs';
import type { Domain } from '../../config/config.ts';
import type { ApiUris } from '../flagwireBase.ts';
import { stageName } from '../streaming/streamingApi.ts';
import { addDistribution, apiOrigin, passOnTo } from './distribution.ts';

/**
 * Adds one domain name for both APIs, as some SDKs and relays require. `/streaming` leads to the WebSocket API, every other path (`/api/*`,
 * `/health/*`) to the HTTP API.
 *
 * It needs CloudFront, because API Gateway maps a domain name either to WebSocket APIs or to HTTP APIs
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html). CloudFront caches nothing, and passes
 * everything on except `Host`, by which API Gateway finds its API.
 *
 * @returns the URLs, and the target of the DNS record
 */
export function addCloudFrontDomain(parent: Construct, domain: Domain, { streaming, http }: ApiUris) {
  const { distributionDomainName: value } = addDistribution(new Construct(parent, 'Host'), domain, {
    defaultBehavior: passOnTo(apiOrigin(http)),
    additionalBehaviors: { [`/${stageName}*`]: passOnTo(apiOrigin(streaming)) },
  });
  const description = `What ${domain.name} has to point to (CNAME), where Route 53 does not do so already`;
  const outputs = { DomainTarget: { value, description } };
  return { streamingUri: `wss://${domain.name}`, httpUri: `https://${domain.name}`, outputs };
}
