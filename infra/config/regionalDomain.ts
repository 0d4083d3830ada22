import { z } from 'zod';
import { ConfigError } from './configError.ts';
import { certificateArn, domainName, hostedZoneId } from './values.ts';

/** Names of hosts that API Gateway serves itself, in the deployment's region. */
export const regionalDomainSchema = z.strictObject({
  streamingName: domainName.describe('name of the host for streaming; SDKs connect to wss://<streamingName>/streaming'),
  httpName: domainName.describe('name of the host for polling and events, another one than streamingName'),
  certificateArn: certificateArn.describe("certificate of both names, in the deployment's account and region"),
  hostedZoneId: hostedZoneId
    .exactOptional()
    .describe('Route 53 zone that gets an address record of each name; without it you add a CNAME for each'),
});

/** Two hosts, one for streaming and one for HTTP, in place of API Gateway's names. */
export type RegionalDomain = z.output<typeof regionalDomainSchema>;

/** @throws ConfigError naming the keys, where the names do not fit each other or the other kind of domain */
export function checkRegionalDomain(regionalDomain: RegionalDomain, domain: object | undefined): void {
  if (domain) {
    throw new ConfigError(
      'domain and regionalDomain cannot be used together: domain is one host by CloudFront, regionalDomain is two hosts by API Gateway.',
    );
  }
  const { streamingName, httpName } = regionalDomain;
  if (streamingName !== httpName) return;
  throw new ConfigError(
    `regionalDomain.httpName=${httpName} cannot be used: it is the streamingName too, and API Gateway maps a name to WebSocket APIs or to HTTP APIs.`,
  );
}
