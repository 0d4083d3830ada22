import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, type HttpOriginProps } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Duration, Fn } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { addAliasRecords, CLOUDFRONT_ZONE_ID } from './aliasRecords.ts';

/** The name of a distribution, and its certificate in us-east-1. */
interface DomainName {
  readonly name: string;
  readonly certificateArn: string;
  readonly webAclArn?: string;
  /** Where the records of the name are added. */
  readonly hostedZoneId?: string;
}

/**
 * Errors that CloudFront keeps for 10 s by default, for all clients of a path: one client's 503 would answer others. The page below says that it
 * keeps none with the policy CachingDisabled, which is managed by AWS. The time of 0 s does not depend on that.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/HTTPStatusCodes.html#HTTPStatusCodes-cached-errors
 */
const KEPT_ERRORS = [404, 414, 500, 501, 502, 503, 504];

/** Adds a CloudFront distribution with TLS and a domain name, without a cache, and its records. */
export function addDistribution(
  scope: Construct,
  { name, certificateArn, webAclArn, hostedZoneId }: DomainName,
  behaviors: Pick<DistributionProps, 'defaultBehavior' | 'additionalBehaviors'>,
): Distribution {
  const distribution = new Distribution(scope, 'Distribution', {
    comment: `Flagwire at ${name}`,
    domainNames: [name],
    certificate: Certificate.fromCertificateArn(scope, 'Certificate', certificateArn),
    minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    errorResponses: KEPT_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    ...(webAclArn !== undefined && { webAclId: webAclArn }),
    ...behaviors,
  });
  acknowledge(distribution, 'AwsSolutions-CFR1', 'Flags are served to wherever the applications are.');
  acknowledge(
    distribution,
    'AwsSolutions-CFR2',
    'A web ACL is a monthly cost and a choice of rules; what is behind checks secrets and bounds requests. The setting webAclArn adds one.',
  );
  acknowledge(
    distribution,
    'AwsSolutions-CFR3',
    "CloudFront's access logs hold query strings, and in them the tokens of connections; API Gateway logs access, and the host counts it.",
  );
  addAliasRecords(scope, name, hostedZoneId, {
    dnsName: distribution.distributionDomainName,
    hostedZoneId: CLOUDFRONT_ZONE_ID,
  });
  return distribution;
}

/** Passes everything on to an origin, including handshakes, except `Host`, by which API Gateway finds its API. */
export function passOnTo(origin: IOrigin): BehaviorOptions {
  return {
    origin,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    compress: false,
  };
}

/**
 * An API of API Gateway as an origin.
 *
 * @param uri of the API, `https://…` or `wss://…`, without a path
 */
export function apiOrigin(uri: string, props: HttpOriginProps = {}): HttpOrigin {
  return new HttpOrigin(Fn.select(2, Fn.split('/', uri)), {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    ...props,
  });
}
