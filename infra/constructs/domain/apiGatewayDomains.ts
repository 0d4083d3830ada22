import {
  ApiMapping,
  DomainName,
  type HttpStage,
  SecurityPolicy,
  type WebSocketStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { RegionalDomain } from '../../config/regionalDomain.ts';
import type { Outputs } from '../outputs.ts';
import { stageName } from '../streaming/streamingApi.ts';
import { addAliasRecords } from './aliasRecords.ts';

/**
 * Adds two domain names that API Gateway serves in the region. `wss://<streamingName>/streaming` is the WebSocket API's stage, and all paths
 * of `httpName` lead to the HTTP API. API Gateway maps no name to both kinds of API, and serves names with TLS 1.2 and IPv4.
 *
 * Functions call `@connections` at the API's own address, which must stay enabled.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-mappings.html
 *
 * @returns the URLs, and targets of DNS records that the stack does not add
 */
export function addApiGatewayDomains(
  parent: Construct,
  { streamingName, httpName, certificateArn, hostedZoneId }: RegionalDomain,
  streaming: WebSocketStage,
  http: HttpStage,
) {
  const scope = new Construct(parent, 'Hosts');
  const certificate = Certificate.fromCertificateArn(scope, 'Certificate', certificateArn);
  const outputs: Record<string, Outputs[string]> = {};
  const add = (id: string, name: string, stage: WebSocketStage | HttpStage, mapping = {}) => {
    const securityPolicy = SecurityPolicy.TLS_1_2;
    const domainName = new DomainName(scope, `${id}Name`, { domainName: name, certificate, securityPolicy });
    new ApiMapping(scope, `${id}Mapping`, { api: stage.api, domainName, stage, ...mapping });
    const { regionalDomainName: dnsName, regionalHostedZoneId } = domainName;
    const target = { dnsName, hostedZoneId: regionalHostedZoneId };
    addAliasRecords(scope, name, hostedZoneId, target, { [`${id}Record`]: 'A' });
    const description = `What ${name} has to point to (CNAME)`;
    if (hostedZoneId === undefined) outputs[`${id}DomainTarget`] = { value: dnsName, description };
  };
  // SDKs append this path to their streaming URL.
  add('Streaming', streamingName, streaming, { apiMappingKey: stageName });
  add('Http', httpName, http);
  return { streamingUri: `wss://${streamingName}`, httpUri: `https://${httpName}`, outputs };
}
