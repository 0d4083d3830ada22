import type { Config } from '../config/config.ts';
import { type Unread, unreadCollector } from './finding.ts';
import { sendSigned, unlessMissing } from './signedRequest.ts';

/** A certificate with the names that it must have, and the setting that names it. */
interface WantedCertificate {
  readonly key: string;
  readonly arn: string;
  readonly names: readonly string[];
}

/** What the entries of a deployment need from the account: certificates, secrets, and zones. */
export interface WantedEntries {
  readonly certificates: readonly WantedCertificate[];
  /** Secrets of the front door. */
  readonly secrets: readonly string[];
  /** Whether CloudFront reaches one host, by a VPC origin. */
  readonly vpcOrigin: boolean;
}

/** The needs of a configuration. */
export function wantedEntries(config: Config): WantedEntries {
  const { domain, regionalDomain, frontDoor, host, fargate } = config;
  const of = (key: string, arn: string | undefined, ...names: (string | undefined)[]) =>
    arn === undefined ? [] : [{ key, arn, names: names.flatMap((name) => name ?? []) }];
  return {
    certificates: [
      ...of('domain', domain?.certificateArn, domain?.name),
      ...of('regionalDomain', regionalDomain?.certificateArn, regionalDomain?.streamingName, regionalDomain?.httpName),
      ...of('frontDoor', frontDoor?.certificateArn, frontDoor?.domainName),
      ...of('host.tls', host?.tls?.certificateArn, host?.tls?.domainName),
      ...of('fargate.tls', fargate?.tls?.certificateArn, fargate?.tls?.domainName),
    ],
    secrets: frontDoor?.secrets ?? [],
    vpcOrigin: frontDoor !== undefined || host?.tls !== undefined,
  };
}

/** What is there. Facts that are not needed or cannot be read are left out. */
export interface EntryState {
  /** By ARN. Undefined for one that does not exist. */
  readonly certificates: Readonly<
    Record<string, { readonly status: string; readonly names: readonly string[] } | undefined>
  >;
  /** Names of secrets that do not exist, or are being deleted. */
  readonly missingSecrets: readonly string[];
  /** Zones of the region in which CloudFront has no VPC origins. */
  readonly zonesWithoutOrigins: readonly string[];
}

/**
 * Ids of the zones in which CloudFront has no VPC origins. Letters of zones differ between accounts.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-vpc-origins.html#vpc-origins-supported-regions
 */
const WITHOUT_VPC_ORIGINS = ['use1-az3', 'usw1-az2', 'apne1-az3', 'cac1-az3'];

/**
 * Reads the account's state.
 *
 * Sources: the API references of ACM (DescribeCertificate), Secrets Manager (DescribeSecret) and EC2 (DescribeAvailabilityZones).
 */
export async function readEntryState(
  region: string,
  wanted: WantedEntries,
): Promise<{ readonly state: EntryState; readonly unread: readonly Unread[] }> {
  const { read, unread } = unreadCollector();
  const [certificates, secrets, zones = []] = await Promise.all([
    Promise.all(
      wanted.certificates.map(({ key, arn }) =>
        read(
          `the certificate of ${key}`,
          'acm:DescribeCertificate',
          readCertificate(arn).then((found) => [arn, found] as const),
        ),
      ),
    ),
    Promise.all(
      wanted.secrets.map((name) =>
        read(
          'the secrets of frontDoor',
          'secretsmanager:DescribeSecret',
          hasSecret(region, name).then((isThere) => (isThere ? [] : [name])),
        ),
      ),
    ),
    wanted.vpcOrigin ? read('the zones of the region', 'ec2:DescribeAvailabilityZones', readZones(region)) : [],
  ]);
  const state = {
    certificates: Object.fromEntries(certificates.flatMap((each) => (each ? [each] : []))),
    missingSecrets: secrets.flatMap((each) => each ?? []),
    zonesWithoutOrigins: zones,
  };
  return { state, unread };
}

/** @returns undefined if there is none */
async function readCertificate(arn: string): Promise<EntryState['certificates'][string]> {
  const region = arn.split(':')[3] ?? '';
  const request = sendJson('acm', 'ACM', region, 'CertificateManager.DescribeCertificate', { CertificateArn: arn });
  const answer = await unlessMissing(request, 'ResourceNotFoundException');
  if (answer === undefined) return undefined;
  const { Certificate } = JSON.parse(answer) as {
    Certificate: { Status: string; DomainName: string; SubjectAlternativeNames?: string[] };
  };
  const { Status: status, DomainName, SubjectAlternativeNames = [] } = Certificate;
  return { status, names: [...new Set([DomainName, ...SubjectAlternativeNames])] };
}

async function hasSecret(region: string, name: string): Promise<boolean> {
  const request = sendJson('secretsmanager', 'SECRETS_MANAGER', region, 'secretsmanager.DescribeSecret', {
    SecretId: name,
  });
  const answer = await unlessMissing(request, 'ResourceNotFoundException');
  return answer !== undefined && (JSON.parse(answer) as { DeletedDate?: number }).DeletedDate === undefined;
}

function sendJson(
  service: string,
  endpointName: string,
  region: string,
  target: string,
  body: object,
): Promise<string> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target };
  return sendSigned({ service, endpointName, region, body: JSON.stringify(body), headers });
}

async function readZones(region: string): Promise<string[]> {
  const ids = WITHOUT_VPC_ORIGINS.map((id, index) => `&Filter.1.Value.${index + 1}=${id}`).join('');
  const body = `Action=DescribeAvailabilityZones&Filter.1.Name=zone-id${ids}&Version=2016-11-15`;
  const answer = await sendSigned({ service: 'ec2', region, body });
  return [...answer.matchAll(/<zoneName>([^<]+)</g)].flatMap(([, name]) => name ?? []);
}
