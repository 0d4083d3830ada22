import type { Config } from '../config/config.ts';
import { type Unread, unreadCollector } from './finding.ts';
import { sendSigned, unlessMissing } from './signedRequest.ts';

/** A certificate, and the setting that names it. */
export interface EntryCertificate {
  readonly key: string;
  readonly arn: string;
  /** The names that it must have. */
  readonly wanted: readonly string[];
  /** Undefined if it does not exist. */
  readonly found: { readonly status: string; readonly names: readonly string[] } | undefined;
}

/** What entries to a deployment need from the account. Facts that are not needed or cannot be read are left out. */
export interface EntryState {
  readonly certificates: readonly EntryCertificate[];
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
 * Sources: the API references of ACM (DescribeCertificate) and EC2 (DescribeAvailabilityZones).
 */
export async function readEntryState(
  region: string,
  { domain, regionalDomain, frontDoor, host, fargate }: Config,
): Promise<{ readonly state: EntryState; readonly unread: readonly Unread[] }> {
  const { read, unread } = unreadCollector();
  const look = async (key: string, arn: string | undefined, ...names: (string | undefined)[]) => {
    if (arn === undefined) return [];
    const reading = readCertificate(arn).then((found) => ({
      key,
      arn,
      wanted: names.flatMap((name) => name ?? []),
      found,
    }));
    return (await read(`the certificate of ${key}`, 'acm:DescribeCertificate', reading)) ?? [];
  };
  const hasVpcOrigin = frontDoor !== undefined || host?.tls !== undefined;
  const [zones = [], ...certificates] = await Promise.all([
    hasVpcOrigin ? read('the zones of the region', 'ec2:DescribeAvailabilityZones', readZones(region)) : [],
    look('domain', domain?.certificateArn, domain?.name),
    look('regionalDomain', regionalDomain?.certificateArn, regionalDomain?.streamingName, regionalDomain?.httpName),
    look('frontDoor', frontDoor?.certificateArn, frontDoor?.domainName),
    look('host.tls', host?.tls?.certificateArn, host?.tls?.domainName),
    look('fargate.tls', fargate?.tls?.certificateArn, fargate?.tls?.domainName),
  ]);
  return { state: { certificates: certificates.flat(), zonesWithoutOrigins: zones }, unread };
}

/** @returns undefined if there is none */
async function readCertificate(arn: string): Promise<EntryCertificate['found']> {
  const region = arn.split(':')[3] ?? '';
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'CertificateManager.DescribeCertificate',
  };
  const request = sendSigned({ service: 'acm', region, body: JSON.stringify({ CertificateArn: arn }), headers });
  const answer = await unlessMissing(request, 'ResourceNotFoundException');
  if (answer === undefined) return undefined;
  const { Certificate } = JSON.parse(answer) as {
    Certificate: { Status: string; DomainName: string; SubjectAlternativeNames?: string[] };
  };
  const { Status: status, DomainName, SubjectAlternativeNames = [] } = Certificate;
  return { status, names: [...new Set([DomainName, ...SubjectAlternativeNames])] };
}

async function readZones(region: string): Promise<string[]> {
  const ids = WITHOUT_VPC_ORIGINS.map((id, index) => `&Filter.1.Value.${index + 1}=${id}`).join('');
  const body = `Action=DescribeAvailabilityZones&Filter.1.Name=zone-id${ids}&Version=2016-11-15`;
  const answer = await sendSigned({ service: 'ec2', region, body });
  return [...answer.matchAll(/<zoneName>([^<]+)</g)].flatMap(([, name]) => name ?? []);
}
