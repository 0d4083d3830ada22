import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { output, service, useService } from '../testing/fixture.ts';
import { INSIGHTS_LIMIT, InsightTooLarge } from './insight.ts';
import { aHttp, DEEP, type TestHttp, TRACK } from './testing/http.ts';

useService();

let http: TestHttp;
beforeEach(() => {
  http = aHttp();
});

const variation = { featureFlagKey: 'f', variation: { id: '1', value: 'true' }, sendToExperiment: true, timestamp: 7 };
const metric = {
  route: 'index/metric',
  type: 'CustomEvent',
  eventName: 'bought',
  numericValue: 2.5,
  appType: 'Node',
  timestamp: 8,
};
const track = (body: unknown) => http.ask(TRACK, { body });
const storedOf = async (body: unknown) => {
  const response = await track(body);
  expect([response.status, await response.text()]).toEqual([200, '']);
  return http.insights;
};

describe('insights', () => {
  test('are stored with environment and time of arrival, one record a user, in order', async () => {
    const user = { keyId: 'u1', name: 'n', customizedProperties: [{ name: 'a', value: 'b' }] };
    const body = [{ user, variations: [variation], metrics: [metric] }, { user: { keyId: 'u2' } }];
    const { envId, effects } = service;
    const common = { envId, receivedAt: new Date(effects.now()).toISOString() };
    expect(await storedOf(body)).toEqual([
      { ...common, user, variations: [variation], metrics: [metric] },
      { ...common, user: { keyId: 'u2', name: null, customizedProperties: [] }, variations: [], metrics: [] },
    ]);
    expect(output.text()).toBe('');
  });

  test.each<[unknown, number]>([
    ['2.5', 2.5],
    ['-1e3', -1_000],
    ['1700000000000', 1_700_000_000_000],
    [7, 7],
    [0, 0],
    ['', 0],
    ['0x10', 0],
    [' 1', 0],
    ['1e999', 0],
    ['Infinity', 0],
    [null, 0],
    [true, 0],
    [[3], 0],
  ])('may say a number as text: %j is %p', async (said, expected) => {
    const events = { variations: [{ ...variation, timestamp: said }], metrics: [{ ...metric, numericValue: said }] };
    const [stored] = await storedOf([{ user: { keyId: 'u1' }, ...events }]);
    expect([stored?.variations[0]?.timestamp, stored?.metrics[0]?.numericValue]).toEqual([expected, expected]);
  });

  test('have 0 for a number that cannot be stored', async () => {
    const [stored] = await storedOf('[{"user":{"keyId":"u1"},"metrics":[{"eventName":"e","numericValue":1e999}]}]');
    expect(stored?.metrics[0]?.numericValue).toBe(0);
  });

  test('get what they lack: not for experiments, nought, and no time', async () => {
    const body = [
      { user: { keyId: 'u1' }, variations: [{ featureFlagKey: 'f', variation: {} }], metrics: [{ eventName: 'e' }] },
    ];
    expect(await storedOf(body)).toMatchObject([
      {
        variations: [{ featureFlagKey: 'f', variation: { id: '', value: '' }, sendToExperiment: false, timestamp: 0 }],
        metrics: [{ route: '', type: '', eventName: 'e', numericValue: 0, appType: '', timestamp: 0 }],
      },
    ]);
  });

  test('cannot say whose they are, or when they came', async () => {
    const body = [{ user: { keyId: 'u1' }, envId: 'other', receivedAt: 'never' }];
    const [stored] = await storedOf(body);
    expect(stored).toMatchObject({ envId: service.envId, receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  test.each([
    ['no users at all', []],
    ['only what is no object', [null, 5, 'u1', [], [[{ user: { keyId: 'u1' } }]]]],
    ['only users without keyId', [{ user: {} }, { user: { keyId: '' } }, { user: { keyId: 1 } }, {}]],
    ['a user of its prototype only', '[{"__proto__":{"user":{"keyId":"u1"}}}]'],
    ['a user a thousand levels deep', `[{"user":${DEEP}}]`],
    ['a thousand levels', DEEP],
  ])('are acknowledged and not stored with %s', async (_, body) => {
    expect(await storedOf(body)).toEqual([]);
  });

  test('are dropped if they are invalid, and the others are kept', async () => {
    const variations = [
      variation,
      null,
      5,
      { ...variation, variation: null },
      { variation: {} },
      { ...variation, featureFlagKey: 1 },
    ];
    const metrics = ['x', { ...metric, eventName: null }, metric, JSON.parse(DEEP)];
    const body = [{ user: {} }, { user: { keyId: 'u1' }, variations, metrics }, 'u2'];
    expect(await storedOf(body)).toMatchObject([{ user: { keyId: 'u1' }, variations: [variation], metrics: [metric] }]);
    expect(await storedOf([{ user: { keyId: 'u3' }, variations: {}, metrics: 'x' }])).toMatchObject([
      {},
      { user: { keyId: 'u3' }, variations: [], metrics: [] },
    ]);
  });

  test('carry nothing that nobody asked for', async () => {
    const body =
      '[{"user":{"keyId":"u1","secret":"s"},"__proto__":{"x":1},"more":1,"variations":[{"featureFlagKey":"f","constructor":1,"variation":{"id":"1","value":"v","reason":"r","__proto__":{"x":1}}}]}]';
    const [stored] = await storedOf(body);
    expect(JSON.parse(JSON.stringify(stored?.user))).toEqual({ keyId: 'u1', name: null, customizedProperties: [] });
    expect(Object.keys(stored?.variations[0] ?? {})).toEqual([
      'featureFlagKey',
      'variation',
      'sendToExperiment',
      'timestamp',
    ]);
    expect(stored?.variations[0]?.variation).toEqual({ id: '1', value: 'v' });
    expect({}).not.toHaveProperty('x');
  });
});

test.each([
  ['users', (count: number) => Array.from({ length: count }, () => ({ user: { keyId: 'u' } }))],
  ['events', (count: number) => [{ user: { keyId: 'u' }, metrics: Array(count - 1).fill({ eventName: 'e' }) }]],
])('ten thousand %s at once are stored, more are refused with the limit', async (_, body) => {
  expect((await track(body(INSIGHTS_LIMIT))).status).toBe(200);
  const response = await track(body(INSIGHTS_LIMIT + 1));
  const message = 'the body has 10001 users and events; the limit is 10000. Send them in several requests';
  expect([response.status, await response.json()]).toEqual([413, { message }]);
});

test('refuses insights that are too large with the reason, so that SDKs drop them', async () => {
  const write = async () => {
    throw new InsightTooLarge('a user\u2019s insights are too large');
  };
  const { ask } = aHttp({ insights: { write } });
  const response = await ask(TRACK, { body: [{ user: { keyId: 'u1' } }] });
  expect([response.status, await response.json()]).toEqual([413, { message: 'a user\u2019s insights are too large' }]);
});

describe('a body that is no array', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '[{"user":'],
    ['JSON and more', '[] []'],
    ['an object', { user: { keyId: 'u1' } }],
    ['an object like an array', { length: 1, 0: { user: { keyId: 'u1' } } }],
    ['null', 'null'],
    ['text', '"[]"'],
  ])('(%s) is refused with what it must be', async (_, body) => {
    const response = await track(body);
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: 'the body must be a JSON array of insights' },
    ]);
    expect(http.insights).toEqual([]);
  });
});

describe('evaluations', () => {
  const body = [
    { user: { keyId: 'u1' }, variations: [variation, variation], metrics: [metric] },
    { user: { keyId: 'u2' }, variations: [{ ...variation, featureFlagKey: 'g' }] },
    { user: { keyId: 'u3' }, metrics: [metric] },
  ];

  test('are counted once for each event of a stored report', async () => {
    await storedOf(body);
    expect(http.counted).toEqual(['f 1', 'f 1', 'g 1']);
  });

  test('are not counted if the report could not be stored, as SDKs repeat it', async () => {
    const write = async () => {
      throw new Error('the stream is down');
    };
    http = aHttp({ insights: { write } });
    expect((await track(body)).status).toBe(503);
    expect(http.counted).toEqual([]);
  });

  test('are passed on without flags if those cannot be read, and the report is accepted', async () => {
    const read = async () => {
      throw new Error('the table is down');
    };
    http = aHttp({ snapshots: { read } });
    await storedOf(body);
    expect(http.counted).toEqual(['f 1?', 'f 1?', 'g 1?']);
  });

  test('take no read where nothing is counted', async () => {
    const read = jest.fn<() => Promise<never>>();
    const { ask } = aHttp({ snapshots: { read }, usage: undefined } as object);
    expect((await ask(TRACK, { body })).status).toBe(200);
    expect(read).not.toHaveBeenCalled();
  });
});
