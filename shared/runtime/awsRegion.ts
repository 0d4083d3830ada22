/**
 * The region that the environment variables name, in the order of the AWS CLI and the CDK. An empty variable counts as
 * absent.
 *
 * Source: https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-envvars.html
 */
export function namedRegion(env: NodeJS.ProcessEnv): string | undefined {
  return env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || undefined;
}

/**
 * Makes AWS SDK clients of this process use {@link namedRegion}, or else the region of the AWS profile. The SDK for
 * JavaScript does not read AWS_DEFAULT_REGION, so without this the region of the profile would override it.
 */
export function useNamedRegion(env: NodeJS.ProcessEnv = process.env): void {
  const region = namedRegion(env);
  if (region === undefined) delete env['AWS_REGION'];
  else env['AWS_REGION'] = region;
}
