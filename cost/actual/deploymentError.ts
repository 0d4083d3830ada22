/** A deployment that cannot be read. The message says why. */
export class DeploymentError extends Error {
  override name = 'DeploymentError';
}
