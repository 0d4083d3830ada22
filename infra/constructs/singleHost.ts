import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { CfnOutput, Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Domain } from '../config/config.ts';
import { acknowledge } from './acknowledge.ts';
import type { FlagsHttpApi } from './flagsHttpApi.ts';
import { type StreamingApi, stageName } from './streamingApi.ts';

/** The host's domain, and the APIs behind it. */
interface SingleHostProps {
  readonly domain: Domain;
  readonly streaming: StreamingApi;
  readonly http: FlagsHttpApi;
}

/**
 * One host for everything, as some SDKs and relays assume: `/streaming` goes to the WebSocket API, every other path
 * (`/api/*`, `/health/*`) to the HTTP API.
 *
 * It takes CloudFront, since API Gateway maps a domain name either to WebSocket APIs or to HTTP APIs, not to both
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html). Nothing is cached, and
 * everything but `Host`, by which API Gateway knows its API, is passed on, the handshake's headers included.
 */
export class SingleHost extends Construct {
  readonly streamingUri: string;
  readonly httpUri: string;

  constructor(scope: Construct, id: string, { domain, streaming, http }: SingleHostProps) {
    super(scope, id);
    const distribution = new Distribution(this, 'Distribution', {
      comment: `Flagwire at ${domain.name}`,
      domainNames: [domain.name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: passOn(http.uri),
      additionalBehaviors: { [`/${stageName}*`]: passOn(streaming.uri) },
    });
    acknowledge(distribution, 'AwsSolutions-CFR1', 'Flags are served to wherever the applications are.');
    acknowledge(
      distribution,
      'AwsSolutions-CFR2',
      'A web ACL is a monthly cost and a choice of rules; both APIs are throttled and check secrets. One can be added.',
    );
    acknowledge(
      distribution,
      'AwsSolutions-CFR3',
      "CloudFront's access logs hold query strings, and in them the tokens of connections; API Gateway logs access.",
    );
    if (domain.hostedZoneId !== undefined) this.#addRecords(domain.name, domain.hostedZoneId, distribution);
    new CfnOutput(this, 'Target', {
      value: distribution.distributionDomainName,
      description: `What ${domain.name} has to point to (CNAME), where Route 53 does not do so already`,
    }).overrideLogicalId('DomainTarget');
    this.streamingUri = `wss://${domain.name}`;
    this.httpUri = `https://${domain.name}`;
  }

  #addRecords(name: string, hostedZoneId: string, { distributionDomainName }: Distribution): void {
    const aliasTarget = { dnsName: distributionDomainName, hostedZoneId: CloudFrontTarget.CLOUDFRONT_ZONE_ID };
    for (const [id, type] of [
      ['Ipv4', 'A'],
      ['Ipv6', 'AAAA'],
    ] as const) {
      new CfnRecordSet(this, id, { name, type, hostedZoneId, aliasTarget });
    }
  }
}

/** @param uri of an API, `https://…` or `wss://…`, without a path */
function passOn(uri: string): BehaviorOptions {
  const host = Fn.select(2, Fn.split('/', uri));
  return {
    origin: new HttpOrigin(host, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    }),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    compress: false,
  };
}
