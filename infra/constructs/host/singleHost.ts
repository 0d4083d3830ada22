import { Construct } from 'constructs';
import type { Domain } from '../../config/config.ts';
import type { FlagsHttpApi } from '../http/flagsHttpApi.ts';
import type { Outputs } from '../outputs.ts';
import { type StreamingApi, stageName } from '../streaming/streamingApi.ts';
import { addDistribution, apiOrigin, passOnTo } from './uncachedDistribution.ts';

/** The host's domain, and its APIs. */
interface SingleHostProps {
  readonly domain: Domain;
  readonly streaming: StreamingApi;
  readonly http: FlagsHttpApi;
}

/**
 * One host name for everything, as some SDKs and relays require. `/streaming` leads to the WebSocket API, every other path (`/api/*`,
 * `/health/*`) to the HTTP API.
 *
 * It needs CloudFront, because API Gateway maps a domain name either to WebSocket APIs or to HTTP APIs
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html). CloudFront caches nothing, and passes
 * everything on except `Host`, by which API Gateway finds its API.
 */
export class SingleHost extends Construct {
  readonly streamingUri: string;
  readonly httpUri: string;
  /** Targets of DNS records. */
  readonly outputs: Outputs;

  constructor(scope: Construct, id: string, { domain, streaming, http }: SingleHostProps) {
    super(scope, id);
    const distribution = addDistribution(this, domain, {
      defaultBehavior: passOnTo(apiOrigin(http.uri)),
      additionalBehaviors: { [`/${stageName}*`]: passOnTo(apiOrigin(streaming.uri)) },
    });
    this.outputs = {
      DomainTarget: {
        value: distribution.distributionDomainName,
        description: `What ${domain.name} has to point to (CNAME), where Route 53 does not do so already`,
      },
    };
    this.streamingUri = `wss://${domain.name}`;
    this.httpUri = `https://${domain.name}`;
  }
}
