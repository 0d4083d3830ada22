import { z } from 'zod';

/** A whole number above zero. */
export const count = z.number().int().positive();

/** A switch. */
export const onOff = z.boolean();

/** Text of a form. @param message what is said about other text */
export function textOf(form: RegExp, message: string): z.ZodString {
  return z.string().regex(form, message);
}

/** A whole number in a range. */
export function wholeNumber(least: number, most: number): z.ZodNumber {
  return z.number().int().min(least).max(most);
}

/** A pattern that also matches a CDK token, such as `certificate.certificateArn`. */
export function orToken(pattern: RegExp): RegExp {
  return new RegExp(`^\\$\\{Token\\[.*\\]\\}$|${pattern.source}`);
}

/** A DNS name of a host. */
export const domainName = textOf(
  orToken(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/),
  'a domain name looks like flags.example.com',
);

/** A hosted zone of Route 53. */
export const hostedZoneId = textOf(orToken(/^Z[A-Z0-9]+$/), 'the id of a hosted zone looks like Z0123456789ABCDEFGHIJ');

/** A web ACL for a distribution of CloudFront. */
export const webAclArn = textOf(
  orToken(/^arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/.+$/),
  'not the ARN of a web ACL of scope CLOUDFRONT, in us-east-1',
);

/** The zone of a name, where the stack adds its alias records. */
export const recordsZoneId = hostedZoneId
  .exactOptional()
  .describe('Route 53 hosted zone for the alias records; without it, add a CNAME yourself');

/** An EC2 instance type. */
export const instanceType = textOf(/^[a-z][a-z0-9-]*\.[a-z0-9-]+$/, 'an instance type looks like t2.micro');

/** An ACM certificate, in any region. */
export const certificateArn = textOf(
  orToken(/^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/),
  'not the ARN of an ACM certificate',
);

/** An ACM certificate in the region where CloudFront reads certificates. */
export const cloudFrontCertificateArn = textOf(
  orToken(/^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+$/),
  'not the ARN of an ACM certificate in us-east-1, where CloudFront looks for certificates',
);

/** A secret, by its name. */
export const secretName = textOf(
  /^[\w/+=.@-]{1,512}$/,
  'the name of a secret in Secrets Manager is 1 to 512 letters, digits and /_+=.@-',
);

/** IPv4 ranges of clients. */
export const allowedCidrs = z
  .array(z.cidrv4('a range of IPv4 addresses looks like 203.0.113.0/24'))
  .min(1, 'name at least one range, or leave the setting out');

/**
 * An optional group of settings. An object or `true` (all defaults) turns it on. `false` is the same as leaving it out.
 */
export function section<T extends z.ZodObject>(
  settings: T,
): z.ZodExactOptional<z.ZodType<z.output<T>, z.input<T> | boolean>> {
  const given = (value: unknown) => (value === true ? {} : value === false ? undefined : value);
  // The cast: the input type of `preprocess` is `unknown`.
  return z.preprocess(given, settings.optional()).optional() as never;
}

/** Interval of the hosts' checks for changes. */
export const pollIntervalMs = z
  .number()
  .int()
  .min(10)
  .default(50)
  .describe(
    'milliseconds between reads of the version of each environment with connections: at 50, a host makes 20 strongly consistent reads a second for each environment',
  );

/** The host's own default of {@link fastPollSeconds}. */
export const FAST_POLL_SECONDS = 60;

/** Time after a change in which hosts check more often. */
export const fastPollSeconds = wholeNumber(0, 3_600)
  .default(FAST_POLL_SECONDS)
  .describe(
    'seconds after a change of an environment during which each host reads its version every 10 ms, since another change is likely; ' +
      '0 turns this off, and all changes then arrive within pollIntervalMs',
  );
