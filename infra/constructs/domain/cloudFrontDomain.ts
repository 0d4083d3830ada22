import { Construct } from 'constructs';
import type { Domain } from '../../config/config.ts';
import type { ApiUris } from '../flagwireBase.ts';
import type { Outputs } from '../outputs.ts';
import { stageName } from '../streaming/streamingApi.ts';
import { addDistribution, apiOrigin, passOnTo } from './distribution.ts';

/**
 * One domain name for both APIs, as some SDKs and relays require. `/streaming` leads to the WebSocket API, every other path (`/api/*`,
 * `/health/*`) to the HTTP API.
 *
 * It needs CloudFront, because API Gateway maps a domain name either to WebSocket APIs or to HTTP APIs
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html). CloudFront caches nothing, and passes
 * everything on except `Host`, by which API Gateway finds its API.
 */
export class CloudFrontDomain extends Construct {
  readonly streamingUri: string;
  readonly httpUri: string;
  /** Targets of DNS records. */
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, domain: Domain, { streaming, http }: ApiUris) {
    super(scope, id);
    const { distributionDomainName: value } = addDistribution(this, domain, {
      defaultBehavior: passOnTo(apiOrigin(http)),
      additionalBehaviors: { [`/${stageName}*`]: passOnTo(apiOrigin(streaming)) },
    });
    const description = `What ${domain.name} has to point to (CNAME), where Route 53 does not do so already`;
    this.outputs = { DomainTarget: { value, description } };
    this.streamingUri = `wss://${domain.name}`;
    this.httpUri = `https://${domain.name}`;
  }
}
