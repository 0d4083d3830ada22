import { describe, expect, test } from '@jest/globals';
import { REGIONS } from '../../prices/sheets.ts';
import { FREE_TIERS } from '../../prices/tiers.ts';
import { CURVES } from './curve.ts';
import { PRESETS } from './presets.ts';
import { parseWorkload, scaledTo, workloadFields } from './workload.ts';

describe('a workload', () => {
  test.each([
    [{ connections: -1 }, 'connections=-1 is not valid'],
    [{ connections: 1e9 }, 'connections=1000000000 is not valid: it must be at most 100,000,000'],
    [{ sdks: [] }, 'sdks=[] is not valid: it must have at least 1'],
    [{ connections: Number.NaN }, 'connections='],
    [{ region: 'mars-1' }, 'region="mars-1"'],
    [{ conections: 5 }, 'no "conections"; it has region, connections'],
    [{ sdks: [{ share: 0.5, pingSeconds: 18, type: 'client' }] }, 'shares must add up to 1'],
    [
      { sdks: [{ share: 1, pingSeconds: 900, type: 'client' }] },
      'sdks.0.pingSeconds=900 is not valid: API Gateway ends',
    ],
    [{ curve: [1, 0.5, 0.2] }, 'a curve has 24 shares'],
    [{ curve: Array.from({ length: 24 }, () => 2) }, 'curve.0=2'],
    [{ newPerHour: 50 }, 'newPerHour=50 is not valid: `connections` must be above 0'],
    [{ days: 31 }, 'days=31 is not valid: a month is 730 hours'],
    ['nothing', 'the workload is not valid'],
  ])('refuses the workload %j by name', (input, message) => {
    expect(() => parseWorkload(input)).toThrow(message);
  });

  test('has a description for every field, with its choices', () => {
    expect(Object.keys(workloadFields).sort()).toEqual(Object.keys(parseWorkload({})).sort());
    for (const [name, meaning] of Object.entries(workloadFields)) expect([name, meaning]).not.toEqual([name, '']);
    expect(workloadFields.region).toContain(REGIONS.join(' or '));
    expect(workloadFields.curve).toContain(Object.keys(CURVES).join(', '));
    expect(workloadFields.freeTier).toContain(FREE_TIERS.join(', '));
  });

  test('grows with all that comes with its connections', () => {
    const workload = parseWorkload({ connections: 10, newPerHour: 40 });
    expect(scaledTo(workload, 25)).toMatchObject({ connections: 25, newPerHour: 100 });
    expect(scaledTo(parseWorkload({}), 5)).toMatchObject({ connections: 5, newPerHour: 0 });
  });

  test.each(Object.keys(PRESETS))('preset %s is one', (name) => {
    expect(() => parseWorkload(PRESETS[name as keyof typeof PRESETS].workload)).not.toThrow();
  });
});
