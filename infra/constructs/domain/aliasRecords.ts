import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import type { Construct } from 'constructs';

/** The zone of all distributions of CloudFront: https://docs.aws.amazon.com/general/latest/gr/cf_region.html */
export const CLOUDFRONT_ZONE_ID = 'Z2FDTNDATAQYW2';

/** A name of AWS, and the hosted zone that has it. */
interface AliasTarget {
  readonly dnsName: string;
  readonly hostedZoneId: string;
}

/**
 * Adds alias records for a name to a hosted zone, which may also be for its root domain.
 *
 * @param hostedZoneId without it, nothing is added
 * @param records types of the records, by the id of their resource
 */
export function addAliasRecords(
  scope: Construct,
  name: string,
  hostedZoneId: string | undefined,
  aliasTarget: AliasTarget,
  records: Readonly<Record<string, 'A' | 'AAAA'>> = { Ipv4: 'A', Ipv6: 'AAAA' },
): void {
  if (hostedZoneId === undefined) return;
  for (const [id, type] of Object.entries(records))
    new CfnRecordSet(scope, id, { name, type, hostedZoneId, aliasTarget });
}
