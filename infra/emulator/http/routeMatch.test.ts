import { describe, expect, test } from '@jest/globals';
import { matchRoute } from './routeMatch.ts';

const keys = ['$default', 'ANY /{rest+}', 'GET /flags/{key}', 'ANY /flags/{key}', 'GET /flags/all', 'POST /a.b'];

describe('HTTP route matching', () => {
  test.each([
    ['GET', '/flags/all', { routeKey: 'GET /flags/all' }],
    ['GET', '/flags/x', { routeKey: 'GET /flags/{key}', pathParameters: { key: 'x' } }],
    ['PUT', '/flags/x', { routeKey: 'ANY /flags/{key}', pathParameters: { key: 'x' } }],
    ['GET', '/flags/x/y', { routeKey: 'ANY /{rest+}', pathParameters: { rest: 'flags/x/y' } }],
    ['POST', '/a.b', { routeKey: 'POST /a.b' }],
    ['POST', '/aXb', { routeKey: 'ANY /{rest+}', pathParameters: { rest: 'aXb' } }],
    ['GET', '/', { routeKey: '$default' }],
  ])('%s %s', (method, path, expected) => {
    expect(matchRoute(keys, method, path)).toEqual(expected);
  });

  test('nothing matches without $default', () => {
    expect(matchRoute(['GET /a'], 'POST', '/a')).toBeUndefined();
  });
});
