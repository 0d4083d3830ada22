import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type HealthRecord, type MachineHealth, type MachineState, observeMachine } from './machineHealth.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 28);
const RUNNING: MachineState = { isRunning: true, isImpaired: false };
const IMPAIRED = { ...RUNNING, isImpaired: true };
const STOPPED: MachineState = { ...RUNNING, isRunning: false };
const HEALTHY: MachineHealth = { kind: 'healthy' };
const unhealthy = (reason: (MachineHealth & { kind: 'unhealthy' })['reason']) =>
  ({ kind: 'unhealthy', reason }) as const;
const recovering = (minutes: number): MachineHealth => ({ kind: 'recovering', since: NOW - minutes * MINUTE });
const record = (health: MachineHealth, heardMinutesAgo = 0): HealthRecord => ({
  health,
  heartbeat: 7,
  heardAt: NOW - heardMinutesAgo * MINUTE,
});

describe('the health of a machine', () => {
  test.each<[string, HealthRecord | undefined, MachineState, number | undefined, MachineHealth]>([
    ['is good at first if it runs, before a heartbeat', undefined, RUNNING, undefined, HEALTHY],
    ['is bad at first if it is stopped', undefined, STOPPED, undefined, unhealthy('not running')],
    ['stays good while heartbeats change', record(HEALTHY, 60), RUNNING, 8, HEALTHY],
    ['stays good with a heartbeat that is older than the last', record(HEALTHY, 60), RUNNING, 6, HEALTHY],
    ['stays good with one that did not change for 2 minutes', record(HEALTHY, 2), RUNNING, 7, HEALTHY],
    ['is bad after 3 minutes without a heartbeat', record(HEALTHY, 3), RUNNING, 7, unhealthy('no heartbeat')],
    ['is bad if a status check fails', record(HEALTHY), IMPAIRED, 8, unhealthy('status check failed')],
    ['is bad while it does not run', record(HEALTHY), STOPPED, 8, unhealthy('not running')],
    [
      'stays bad after a start, until a heartbeat',
      record(unhealthy('not running'), 9),
      RUNNING,
      7,
      unhealthy('no heartbeat'),
    ],
    ['recovers with a heartbeat', record(unhealthy('no heartbeat'), 9), RUNNING, 8, recovering(0)],
    ['recovers for 5 minutes', record(recovering(4)), RUNNING, 8, recovering(4)],
    ['is good again after 5 minutes', record(recovering(5)), RUNNING, 8, HEALTHY],
    ['is bad again if it does not recover', record(recovering(4)), IMPAIRED, 8, unhealthy('status check failed')],
    ['has no recovery that began in the future', record(recovering(-60)), RUNNING, 8, recovering(0)],
  ])('%s', (_, before, machine, heartbeat, health) => {
    expect(observeMachine(before, machine, heartbeat, NOW).health).toEqual(health);
  });

  test('notes a heartbeat by the clock of the observer, and no time in the future', () => {
    expect(observeMachine(record(HEALTHY, 9), RUNNING, 99, NOW)).toMatchObject({ heartbeat: 99, heardAt: NOW });
    expect(observeMachine(record(HEALTHY, 2), RUNNING, 7, NOW).heardAt).toBe(NOW - 2 * MINUTE);
    expect(observeMachine(record(HEALTHY, -60), RUNNING, 7, NOW).heardAt).toBe(NOW);
  });

  test('becomes good at most once in 5 minutes, and only with heartbeats', () => {
    const step = fc.record({
      isRunning: fc.constantFrom(true, true, true, false),
      isImpaired: fc.constantFrom(false, false, false, true),
      isBeating: fc.constantFrom(true, true, false),
      elapses: fc.integer({ min: 1, max: 3 * MINUTE }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 100 }), (steps) => {
        let [now, heartbeat, becameGoodAt] = [NOW, 0, Number.NEGATIVE_INFINITY];
        let before: HealthRecord | undefined;
        for (const { elapses, isBeating, ...seen } of steps) {
          now += elapses;
          if (isBeating) heartbeat++;
          const next = observeMachine(before, seen, heartbeat, now);
          if (before && next.health.kind === 'healthy' && before.health.kind !== 'healthy') {
            expect(now - becameGoodAt).toBeGreaterThanOrEqual(5 * MINUTE);
            becameGoodAt = now;
          }
          if (seen.isImpaired || !seen.isRunning) expect(next.health.kind).toBe('unhealthy');
          if (next.health.kind !== 'unhealthy') expect(now - next.heardAt).toBeLessThan(3 * MINUTE);
          before = next;
        }
      }),
    );
  });
});
