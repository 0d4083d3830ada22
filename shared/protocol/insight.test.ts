import { describe, expect, test } from '@jest/globals';
import { parseInsights } from './insight.ts';

const user = { keyId: 'u1', name: null, customizedProperties: [] };
const variation = { featureFlagKey: 'f', variation: { id: '1', value: 'v' }, sendToExperiment: true, timestamp: 7 };
const metric = { route: 'r', type: 't', eventName: 'e', numericValue: 2.5, appType: 'a', timestamp: 8 };

const readVariations = (...variations: unknown[]) => parseInsights([{ user, variations }])?.[0]?.variations;
const readMetrics = (...metrics: unknown[]) => parseInsights([{ user, metrics }])?.[0]?.metrics;

describe('insights', () => {
  test('are read a user at a time, in order, with names in any letter case', () => {
    const upper = {
      USER: { KEYID: 'u2', CustomizedProperties: [{ name: 'plan', value: 'pro' }] },
      VARIATIONS: [
        { FEATUREFLAGKEY: 'f', VARIATION: { ID: '1', VALUE: 'v' }, SENDTOEXPERIMENT: true, TIMESTAMP: 7 },
        { ...variation, featureFlagKey: 'g' },
      ],
      METRICS: [{ ROUTE: 'r', TYPE: 't', EVENTNAME: 'e', NUMERICVALUE: 2.5, APPTYPE: 'a', TIMESTAMP: 8 }],
    };
    expect(parseInsights([{ user, variations: [variation], metrics: [metric] }, upper])).toEqual([
      { user, variations: [variation], metrics: [metric] },
      {
        user: { keyId: 'u2', name: null, customizedProperties: [{ name: 'plan', value: 'pro' }] },
        variations: [variation, { ...variation, featureFlagKey: 'g' }],
        metrics: [metric],
      },
    ]);
  });

  test.each([[undefined], [null], ['[]'], [{ length: 1, 0: { user } }], [7]])('are not read from %j', (value) => {
    expect(parseInsights(value)).toBeUndefined();
  });

  test('are dropped without a valid user, and the others are kept', () => {
    const elements = [null, 'u1', [{ user }], {}, { user: { keyId: ' ' } }, { user: 'u1' }, { user }];
    expect(parseInsights(elements)).toEqual([{ user, variations: [], metrics: [] }]);
    expect(parseInsights([])).toEqual([]);
  });

  test('may have no lists of events', () => {
    const nothing = [{ user, variations: [], metrics: [] }];
    expect(parseInsights([{ user, variations: { 0: variation, length: 1 }, metrics: 'x' }])).toEqual(nothing);
    expect(parseInsights([{ user, variations: null }])).toEqual(nothing);
  });
});

describe('a variation that was seen', () => {
  test('is dropped without what identifies it', () => {
    const { featureFlagKey: _, ...keyless } = variation;
    const odd = [null, 'f', [variation], keyless, { ...variation, featureFlagKey: 1 }];
    const without = [{ featureFlagKey: 'f' }, { ...variation, variation: null }, { ...variation, variation: 'v' }];
    expect(readVariations(...odd, variation, ...without)).toEqual([variation]);
  });

  test('gets empty texts, no experiment and no time for what it lacks or says otherwise', () => {
    const bare = { featureFlagKey: 'f', variation: { id: '', value: '' }, sendToExperiment: false, timestamp: 0 };
    expect(readVariations({ featureFlagKey: 'f', variation: {} })).toEqual([bare]);
    const odd = { featureFlagKey: 'f', variation: { id: 1, value: true }, sendToExperiment: 'true', timestamp: null };
    expect(readVariations(odd)).toEqual([bare]);
  });
});

describe('a metric', () => {
  test('is dropped without its name', () => {
    const { eventName: _, ...nameless } = metric;
    expect(readMetrics(null, 'e', [metric], nameless, { ...metric, eventName: 1 }, metric)).toEqual([metric]);
  });

  test('gets empty texts and nought for what it lacks or says otherwise', () => {
    const bare = { route: '', type: '', eventName: 'e', numericValue: 0, appType: '', timestamp: 0 };
    expect(readMetrics({ eventName: 'e' })).toEqual([bare]);
    const odd = { route: 1, type: null, eventName: 'e', numericValue: true, appType: [], timestamp: {} };
    expect(readMetrics(odd)).toEqual([bare]);
  });

  test.each<[unknown, number]>([
    [7, 7],
    [-0.5, -0.5],
    [Number.POSITIVE_INFINITY, 0],
    ['0', 0],
    ['2.25', 2.25],
    ['-12', -12],
    ['1700000000000', 1_700_000_000_000],
    ['1e3', 1_000],
    ['15E+12', 15e12],
    ['25e-1', 2.5],
    ['-0.125e2', -12.5],
    ['', 0],
    [' 1', 0],
    ['1 ', 0],
    ['+1', 0],
    ['01', 0],
    ['.5', 0],
    ['1.', 0],
    ['1e', 0],
    ['0x10', 0],
    ['1e999', 0],
    ['Infinity', 0],
    [[3], 0],
  ])('says %j for %p: a number, or the text of one as JSON writes it', (said, expected) => {
    expect(readMetrics({ ...metric, numericValue: said })).toEqual([{ ...metric, numericValue: expected }]);
  });
});
