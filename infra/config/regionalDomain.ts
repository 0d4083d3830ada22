import { z } from 'zod';
import { ConfigError } from './configError.ts';
import { certificateArn, domainName, hostedZoneId } from './values.ts';

/** Domain names that API Gateway serves in the deployment's region. */
export const regionalDomainSchema = z.strictObject({
  streamingName: domainName.describe('domain name for streaming; SDKs connect to wss://<streamingName>/streaming'),
  httpName: domainName.describe('domain name for polling and events; it must differ from streamingName'),
  certificateArn: certificateArn.describe("ACM certificate for both names, in the deployment's account and region"),
  hostedZoneId: hostedZoneId
    .exactOptional()
    .describe('Route 53 hosted zone for the alias records of both names; without it, add a CNAME for each'),
});

/** Two domain names, one for streaming and one for HTTP. */
export type RegionalDomain = z.output<typeof regionalDomainSchema>;

/** @throws ConfigError naming the keys, if the names are equal, or if `domain` is set too */
export function checkRegionalDomain(regionalDomain: RegionalDomain, domain: object | undefined): void {
  if (domain) {
    throw new ConfigError(
      'domain and regionalDomain cannot be used together: domain is one name served by CloudFront, regionalDomain is two names served by API Gateway.',
    );
  }
  const { streamingName, httpName } = regionalDomain;
  if (streamingName !== httpName) return;
  throw new ConfigError(
    `regionalDomain.httpName=${httpName} cannot be used: it equals streamingName, and API Gateway maps a name to WebSocket APIs or to HTTP APIs only.`,
  );
}
