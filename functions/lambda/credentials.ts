/** The keys a signed AWS call needs, in the AWS SDK's words. */
interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * AWS credentials from the environment: the only source that Lambda gives, set once for the life of an instance.
 *
 * Lambda bundles put this module in the place of the SDK's `@aws-sdk/credential-provider-node`, whose chain also knows
 * profiles, single sign-on and instance metadata, and is by far the largest part of a client. Same name and shape, so
 * that clients are written and tested against the SDK's own.
 *
 * @returns a provider that reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, if set, `AWS_SESSION_TOKEN`
 * @throws Error (when called for) if either key is missing; never shows a value
 */
export function defaultProvider(): () => Promise<Credentials> {
  return async () => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) {
      throw new Error('No AWS credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set.');
    }
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
}
