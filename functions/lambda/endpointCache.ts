/**
 * Takes the place of the AWS SDK's cache of discovered endpoints in Lambda bundles: with what it is made of, that is 7 KB on
 * the way of every connection, and nothing of ours lets the SDK discover endpoints. It keeps nothing.
 */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }

  get(): undefined {
    return undefined;
  }

  has(): boolean {
    return false;
  }

  set(): void {}
  delete(): void {}
  clear(): void {}
}
