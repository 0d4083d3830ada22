import {
  ApiMapping,
  DomainName,
  type HttpStage,
  SecurityPolicy,
  type WebSocketStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { RegionalDomain } from '../../config/regionalDomain.ts';
import type { FlagsHttpApi } from '../http/flagsHttpApi.ts';
import type { Outputs } from '../outputs.ts';
import { type StreamingApi, stageName } from '../streaming/streamingApi.ts';
import { addAliasRecords } from './aliasRecords.ts';

/** The names, and their APIs. */
interface ApiGatewayDomainsProps {
  readonly domain: RegionalDomain;
  readonly streaming: StreamingApi;
  readonly http: FlagsHttpApi;
}

/** A custom domain name of API Gateway, and its stage. */
interface MappedName {
  readonly id: string;
  readonly name: string;
  readonly stage: WebSocketStage | HttpStage;
  /** The path that is mapped to the stage. All paths if undefined. */
  readonly path?: string;
}

/**
 * Two domain names that API Gateway serves in the region. `wss://<streamingName>/streaming` is the WebSocket API's stage, and all paths of
 * `httpName` lead to the HTTP API. API Gateway maps no name to both kinds of API, and serves names with TLS 1.2 and IPv4.
 *
 * Functions call `@connections` at the API's own address, which must stay enabled.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html
 */
export class ApiGatewayDomains extends Construct {
  readonly streamingUri: string;
  readonly httpUri: string;
  /** Targets of DNS records. */
  readonly outputs: Record<string, Outputs[string]> = {};

  constructor(scope: Construct, id: string, { domain, streaming, http }: ApiGatewayDomainsProps) {
    super(scope, id);
    const { streamingName, httpName, certificateArn, hostedZoneId } = domain;
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    // SDKs append this path to their streaming URL.
    const streamingHost = { id: 'Streaming', name: streamingName, stage: streaming.stage, path: stageName };
    this.#add(streamingHost, certificate, hostedZoneId);
    this.#add({ id: 'Http', name: httpName, stage: http.stage }, certificate, hostedZoneId);
    this.streamingUri = `wss://${streamingName}`;
    this.httpUri = `https://${httpName}`;
  }

  #add({ id, name, stage, path }: MappedName, certificate: ICertificate, hostedZoneId: string | undefined): void {
    const domainName = new DomainName(this, `${id}Name`, {
      domainName: name,
      certificate,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, `${id}Mapping`, {
      api: stage.api,
      domainName,
      stage,
      ...(path !== undefined && { apiMappingKey: path }),
    });
    const { regionalDomainName: dnsName } = domainName;
    if (hostedZoneId === undefined) {
      const description = `What ${name} has to point to (CNAME)`;
      this.outputs[`${id}DomainTarget`] = { value: dnsName, description };
    } else {
      const target = { dnsName, hostedZoneId: domainName.regionalHostedZoneId };
      addAliasRecords(this, name, hostedZoneId, target, { [`${id}Record`]: 'A' });
    }
  }
}
