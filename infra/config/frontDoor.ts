import { z } from 'zod';
import { ConfigError } from './configError.ts';
import type { Host } from './host.ts';
import { cloudFrontCertificateArn, count, domainName, onOff, recordsZoneId, secretName, webAclArn } from './values.ts';

/** Default instance type of a host behind the front door. It costs less than a t2.micro. */
export const DOOR_INSTANCE_TYPE = 't4g.micro';

/** How long a table outage may last before the host answers handshakes with 503. Until then its flags are better than none. */
export const DOOR_TABLE_OUTAGE_MS = 15 * 60_000;

/** How long a host behind the front door closes its connections when it stops, so that API Gateway is not flooded. */
export const DOOR_DRAIN_MS = 2 * 60_000;

/** Settings of the front door. */
export const frontDoorSchema = z.strictObject({
  domainName: domainName.describe('domain name for SDKs'),
  certificateArn: cloudFrontCertificateArn.describe('ACM certificate for that name, in us-east-1'),
  hostedZoneId: recordsZoneId,
  webAclArn: webAclArn
    .exactOptional()
    .describe('AWS WAF web ACL for the front door; it does not protect API Gateway’s own addresses'),
  maxConnections: count
    .default(18_000)
    .describe('connections of the host; further clients get API Gateway. The default is the most that was measured'),
  secrets: z
    .array(secretName)
    .min(1)
    .max(2)
    .exactOptional()
    .describe(
      'names of one or two secrets in Secrets Manager, each a plain text. The front door sends the first to API Gateway; ' +
        'with frontDoor.only, API Gateway accepts both',
    ),
  only: onOff
    .default(false)
    .describe('API Gateway refuses handshakes without one of frontDoor.secrets; deploy them before you set this'),
});

/** The front door: its name, and what it sends to API Gateway. */
export type FrontDoorSettings = z.output<typeof frontDoorSchema>;

/** @throws ConfigError naming the key, if the front door's settings contradict others */
export function checkFrontDoor(
  { secrets, only }: FrontDoorSettings,
  host: Host | undefined,
  { domain, regionalDomain }: { readonly domain?: object | undefined; readonly regionalDomain?: object | undefined },
): void {
  if (host === undefined) throw new ConfigError('frontDoor cannot be used without a host: set host=true.');
  if (host.network === 'public' || host.tls)
    throw new ConfigError('frontDoor cannot be used with host.network=public or host.tls: it leads to a private host.');
  if (only && !secrets) throw new ConfigError('frontDoor.only cannot be used without frontDoor.secrets.');
  if (only && (domain || regionalDomain)) {
    const key = domain ? 'domain' : 'regionalDomain';
    throw new ConfigError(
      `frontDoor.only cannot be used with ${key}, whose handshakes do not come through the front door: API Gateway would refuse all of them. ` +
        `Use frontDoor.domainName in your SDKs and remove ${key}, or set frontDoor.only=false.`,
    );
  }
  if (only && host.allowedCidrs)
    throw new ConfigError('frontDoor.only cannot be used with host.allowedCidrs, which reach the host directly.');
}

/** The text of a secret, which CloudFormation reads during a deployment that changes its name. */
export function secretText(name: string): string {
  return `{{resolve:secretsmanager:${name}}}`;
}
