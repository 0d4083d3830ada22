import { expect, test } from '@jest/globals';
import { readConfig } from '../../infra/config/config.ts';
import { synthesizedTemplates } from '../../infra/testing/synthesizedTemplates.ts';
import { HINT_KEY } from '../../shared/tier/tier.ts';
import { findOrigins, readDistribution } from '../emulator/cloudfront/definition.ts';
import { selectOrigin } from '../emulator/cloudfront/viewerFunction.ts';
import { DOOR_SETTINGS } from './frontDoor.ts';

const { frontDoor } = DOOR_SETTINGS;
const settings = { ...DOOR_SETTINGS, frontDoor: { ...frontDoor, secrets: ['door/1'] } };
const config = readDistribution(synthesizedTemplates(readConfig(settings)));

test.each(['/streaming', '/streaming/x'])(
  'reads the origin group of %s from the template of the front door',
  (path) => {
    const { origins, code: _, ...rules } = findOrigins(config, path);
    expect(rules).toEqual({ methods: ['GET', 'HEAD', 'OPTIONS'], failoverStatuses: [500, 502, 503, 504] });
    expect(origins).toMatchObject([
      { Id: 'host', ConnectionAttempts: 1, ConnectionTimeout: 1, VpcOriginConfig: { OriginReadTimeout: 20 } },
      {
        Id: 'gateway',
        OriginCustomHeaders: [{ HeaderName: 'x-flagwire-door', HeaderValue: '{{resolve:secretsmanager:door/1}}' }],
      },
    ]);
  },
);

test.each(['/', '/api/streaming', '/health'])('reads the HTTP API as the origin of %s', (path) => {
  const { origins, methods, failoverStatuses } = findOrigins(config, path);
  expect([origins.map(({ Id }) => Id), methods.includes('POST'), failoverStatuses]).toEqual([['http'], true, []]);
});

test.each([
  ['gateway', 'gateway'],
  ['host', undefined],
  ['x', undefined],
  ['', undefined],
  [undefined, undefined],
])('the function of the front door, with the hint %j, selects %s', async (hint, selected) => {
  const { code = '' } = findOrigins(config, '/streaming');
  const store = new Map(hint === undefined ? [] : [[HINT_KEY, hint]]);
  expect(await selectOrigin(code, { method: 'GET', uri: '/streaming' }, store)).toBe(selected);
});

test('HTTP requests call no function', () => {
  expect(findOrigins(config, '/api/public/insight/track').code).toBeUndefined();
});
