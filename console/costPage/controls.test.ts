import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PRESETS } from '../../cost/model/workload/presets.ts';
import { trafficOf } from '../../cost/model/workload/traffic.ts';
import { parseWorkload } from '../../cost/model/workload/workload.ts';
import { controlsOf, fromFragment, problemOf, toFragment, withStarts, workloadOf } from './controls.ts';

const defaults = controlsOf(parseWorkload({ connections: 10 }));

describe('the page’s controls', () => {
  test.each(Object.keys(PRESETS))('say the same as preset %s', (name) => {
    const workload = parseWorkload(PRESETS[name as keyof typeof PRESETS].workload);
    const said = parseWorkload(workloadOf(controlsOf(workload)));
    expect({ ...said, days: 0 }).toEqual({ ...workload, days: 0 });
    expect(said.days).toBeCloseTo(workload.days, 3);
  });

  test('have as many new connections for each that is held as before, unless those are set', () => {
    const controls = { ...defaults, connections: 100, newPerHour: 30 };
    expect(withStarts(controls, { connections: 250 })).toEqual({ connections: 250, newPerHour: 75 });
    expect(withStarts(controls, { connections: 250, newPerHour: 1 })).toEqual({ connections: 250, newPerHour: 1 });
    expect(withStarts(controls, { flags: 3 })).toEqual({ flags: 3 });
    expect(withStarts({ ...controls, connections: 0 }, { connections: 5 })).toEqual({ connections: 5 });
  });

  test('keep a curve of one’s own', () => {
    const curve = Array.from({ length: 24 }, (_, hour) => (hour < 8 ? 1 : 0));
    const workload = parseWorkload({ connections: 1_000, curve });
    const controls = controlsOf(workload);
    expect(parseWorkload(workloadOf(controls)).curve).toEqual(curve);
    expect(fromFragment(`#${toFragment(controls, defaults)}`, defaults).curve).toBe(controls.curve);
  });

  test.each([
    [{ days: 50 }, 'days', 'a month is 730 hours'],
    [{ clientPing: 900 }, 'clientPing', 'API Gateway ends connections'],
    [{ serverShare: 50, serverPing: 900 }, 'serverPing', 'API Gateway ends connections'],
    [{ serverShare: 100, serverPing: 900 }, 'serverPing', 'API Gateway ends connections'],
    [{ serverShare: 150 }, 'serverShare', 'between 0 and 100 percent'],
  ] as const)('that cannot be, %j, are a problem of one of them', (some, name, text) => {
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

  test('put several kinds of SDKs together so that as many pings come of it', () => {
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

  test('come back from an address as they went', () => {
    const control = fc.record({
      connections: fc.integer({ min: 0, max: 1e7 }),
      clientPing: fc.double({ min: 0.1, max: 600, noNaN: true }),
      curve: fc.constantFrom('flat' as const, 'office' as const),
      region: fc.constantFrom('us-east-1', 'eu-west-1'),
      tls: fc.boolean(),
      any: fc.boolean(),
      levers: fc.constantFrom('', 'ping', 'ping,accessLogs'),
      period: fc.constantFrom('month' as const, 'year' as const),
    });
    fc.assert(
      fc.property(control, (some) => {
        const controls = { ...defaults, ...some };
        expect(fromFragment(`#${toFragment(controls, defaults)}`, defaults)).toEqual(controls);
      }),
    );
  });

  test('of an address that says nonsense are the defaults', () => {
    expect(
      fromFragment(
        '#connections=many&curve=zigzag&x=1&clientPing=&region=mars&tls=maybe&credits=1,2&levers=none&period=week',
        defaults,
      ),
    ).toEqual(defaults);
    expect(toFragment(defaults, defaults)).toBe('');
  });
});
