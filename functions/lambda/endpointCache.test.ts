import { expect, test } from '@jest/globals';
import { EndpointCache } from './endpointCache.ts';

test('the cache of endpoints in Lambda bundles is made and asked as the SDK’s own, and knows none', () => {
  const cache = new EndpointCache();
  cache.set();
  cache.delete();
  cache.clear();
  expect([cache.has(), cache.get(), cache.getEndpoint()]).toEqual([false, undefined, undefined]);
});
