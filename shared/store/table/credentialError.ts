/** What to do about AWS's errors on credentials, by their names. */
const ADVICE: Readonly<Record<string, string>> = {
  CredentialsProviderError:
    'there are no AWS credentials; set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  ExpiredTokenException: 'the AWS credentials have expired; sign in again',
  ExpiredToken: 'the AWS credentials have expired; sign in again',
  UnrecognizedClientException: 'AWS does not know these credentials; check AWS_PROFILE, or the AWS_… variables',
  InvalidClientTokenId: 'AWS does not know these credentials; check AWS_PROFILE, or the AWS_… variables',
  InvalidSignatureException: 'AWS does not accept these credentials; check the secret access key and the clock',
  SignatureDoesNotMatch: 'AWS does not accept these credentials; check the secret access key and the clock',
};

/**
 * How to fix credentials that cannot be used, as one line.
 *
 * @param profile AWS profile that was asked for credentials
 * @returns undefined if the error has another cause
 */
export function describeCredentialError(
  { name }: Error,
  profile: string | undefined = process.env['AWS_PROFILE'],
): string | undefined {
  if (name === 'CredentialsProviderError' && profile) {
    return `the AWS profile "${profile}" gives no credentials; sign in again, or set AWS_PROFILE to a profile of aws configure list-profiles (${name})`;
  }
  const advice = ADVICE[name];
  return advice && `${advice} (${name})`;
}
