import type { Credentials } from '../../shared/runtime/signature.ts';

/**
 * AWS credentials from the environment. They are Lambda's only source, and stay the same for the life of an instance.
 *
 * Lambda bundles use this module instead of the SDK's `@aws-sdk/credential-provider-node`. That module's chain also
 * supports profiles, single sign-on and instance metadata, and is by far the largest part of a client. Name and shape
 * are the same, so that clients are tested with the SDK's own module.
 *
 * @returns a provider that reads `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, if set, `AWS_SESSION_TOKEN`
 * @throws Error (when called) if a key is missing; never contains a value
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
