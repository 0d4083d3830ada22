import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRESETS } from '../../../cost/model/workload/presets.ts';
import { trafficOf } from '../../../cost/model/workload/traffic.ts';
import { parseWorkload } from '../../../cost/model/workload/workload.ts';
import { controlsOf, problemOf, readControls, withStarts, workloadOf, writeControls } from './controls.ts';

const defaults = controlsOf(parseWorkload({ connections: 10 }));

describe('the controls of the cost view', () => {
  test.each(Object.keys(PRESETS))('have the values of preset %s', (name) => {
    const workload = parseWorkload(PRESETS[name as keyof typeof PRESETS].workload);
    const said = parseWorkload(workloadOf(controlsOf(workload)));
    expect({ ...said, days: 0 }).toEqual({ ...workload, days: 0 });
    expect(said.days).toBeCloseTo(workload.days, 3);
  });

  test('change new connections in proportion to connections, unless both are set', () => {
    const controls = { ...defaults, connections: 100, newPerHour: 30 };
    expect(withStarts(controls, { connections: 250 })).toEqual({ connections: 250, newPerHour: 75 });
    expect(withStarts(controls, { connections: 250, newPerHour: 1 })).toEqual({ connections: 250, newPerHour: 1 });
    expect(withStarts(controls, { flags: 3 })).toEqual({ flags: 3 });
    expect(withStarts({ ...controls, connections: 0 }, { connections: 5 })).toEqual({ connections: 5 });
  });

  test('keep a custom curve', () => {
    const curve = Array.from({ length: 24 }, (_, hour) => (hour < 8 ? 1 : 0));
    const workload = parseWorkload({ connections: 1_000, curve });
    const controls = controlsOf(workload);
    expect(parseWorkload(workloadOf(controls)).curve).toEqual(curve);
    expect(readControls(writeControls(controls)).curve).toBe(controls.curve);
  });

  test.each([
    [{ days: 50 }, 'days', 'a month is 730 hours'],
    [{ clientPing: 900 }, 'clientPing', 'API Gateway ends connections'],
    [{ serverShare: 50, serverPing: 900 }, 'serverPing', 'API Gateway ends connections'],
    [{ serverShare: 100, serverPing: 900 }, 'serverPing', 'API Gateway ends connections'],
    [{ serverShare: 150 }, 'serverShare', 'between 0 and 100 percent'],
  ] as const)('name the invalid control of %j', (some, name, text) => {
    const controls = { ...defaults, ...some };
    let message = '';
    try {
      parseWorkload(workloadOf(controls));
    } catch (error) {
      message = (error as Error).message;
    }
    const problem = problemOf(message, controls);
    expect(problem.name).toBe(name);
    expect(problem.text).toContain(text);
  });

  test('merge several kinds of SDKs into one with the same number of pings', () => {
    const workload = parseWorkload({
      connections: 100,
      sdks: [
        { share: 0.3, pingSeconds: 18, type: 'client' },
        { share: 0.3, pingSeconds: 15, type: 'client' },
        { share: 0.4, pingSeconds: 10, type: 'server' },
      ],
    });
    const said = parseWorkload(workloadOf(controlsOf(workload)));
    expect(said.sdks).toHaveLength(2);
    expect(trafficOf(said).pings / trafficOf(workload).pings).toBeCloseTo(1, 4);
  });

  test('are the same after writing to and reading from an address', () => {
    const control = fc.record({
      connections: fc.integer({ min: 0, max: 1e7 }),
      clientPing: fc.double({ min: 0.1, max: 600, noNaN: true }),
      curve: fc.constantFrom('flat' as const, 'office' as const),
      region: fc.constantFrom('us-east-1', 'eu-west-1'),
      tls: fc.boolean(),
    });
    fc.assert(
      fc.property(control, (some) => {
        expect(readControls(writeControls(some))).toEqual(some);
        const controls = { ...defaults, ...some };
        expect(readControls(writeControls(controls))).toEqual(controls);
      }),
    );
  });

  test('reads no control from an address with invalid values', () => {
    const query = 'connections=many&curve=zigzag&x=1&clientPing=&region=mars&tls=maybe&credits=1,2';
    expect(readControls(query)).toEqual({});
    expect(writeControls({})).toBe('');
  });
});
