import { expect, test } from '@jest/globals';
import { EndpointCache } from './endpointCache.ts';

test('the empty cache of endpoints in Lambda bundles has the methods of the SDK’s own', () => {
  const cache = new EndpointCache();
  cache.set();
  cache.delete();
  cache.clear();
  expect([cache.has(), cache.get(), cache.getEndpoint()]).toEqual([false, undefined, undefined]);
});
