import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MachineHealth } from './machineHealth.ts';
import { decide, isStuck, TIER_MODES, type Tier, type TierCounts, type TierObservation } from './tier.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 28);
const LIMITS = { startAt: 60, stopAt: 40 };
const ago = (minutes: number) => NOW - minutes * MINUTE;

const NEVER = { crowdedSince: undefined, quietSince: undefined };
const HOST: Tier = { ...NEVER, changedAt: ago(600), mode: 'auto', by: 'ann', wanted: 'host', revision: 7 };
const GATEWAY: Tier = { ...HOST, wanted: 'gateway' };
const running = (minutes = 60): TierObservation['machine'] => ({ state: 'running', launchedAt: ago(minutes) });
const STOPPED: TierObservation['machine'] = { state: 'stopped', launchedAt: ago(600) };
const CHANGING: TierObservation['machine'] = { state: 'changing', launchedAt: ago(600) };
const health: MachineHealth = { kind: 'healthy' };
const CROWD: TierCounts = { gateway: 61, host: 0 };
const FEW: TierCounts = { gateway: 20, host: 19 };
const crowded = (minutes: number) => ({ crowdedSince: ago(minutes) });
const quiet = (minutes: number) => ({ quietSince: ago(minutes) });
const changed = (minutes: number) => ({ changedAt: ago(minutes) });

describe('decide', () => {
  test.each<[string, Tier | undefined, TierObservation['machine'], TierCounts | undefined, Tier['wanted'], string]>([
    ['keeps a running host', HOST, running(), FEW, 'host', 'none'],
    ['keeps a stopped machine', GATEWAY, STOPPED, FEW, 'gateway', 'none'],
    ['waits while API Gateway is crowded', { ...GATEWAY, ...crowded(2) }, STOPPED, CROWD, 'gateway', 'none'],
    ['wants the host after 3 crowded minutes', { ...GATEWAY, ...crowded(3) }, STOPPED, CROWD, 'host', 'start'],
    [
      'does not count a full host as crowded',
      { ...GATEWAY, ...crowded(3) },
      STOPPED,
      { gateway: 60, host: 900 },
      'gateway',
      'none',
    ],
    ['waits while the service is quiet', { ...HOST, ...quiet(29) }, running(), FEW, 'host', 'none'],
    ['wants API Gateway after 30 quiet minutes', { ...HOST, ...quiet(30) }, running(), FEW, 'gateway', 'stop'],
    [
      'counts both tiers before it stops the machine',
      { ...HOST, ...quiet(30) },
      running(),
      { gateway: 20, host: 20 },
      'host',
      'none',
    ],
    [
      'keeps the machine while a host cannot report its connections',
      { ...HOST, ...quiet(30) },
      running(),
      { gateway: 1, host: undefined },
      'host',
      'none',
    ],
    ['keeps the tier if connections cannot be read', { ...HOST, ...quiet(90) }, running(), undefined, 'host', 'none'],
    [
      'does not start the machine if connections cannot be read',
      { ...GATEWAY, ...crowded(90) },
      STOPPED,
      undefined,
      'gateway',
      'none',
    ],
    [
      'wants the host while a machine that is not wanted has a crowd',
      { ...GATEWAY, ...crowded(3) },
      running(),
      { gateway: 0, host: 5_000 },
      'host',
      'none',
    ],
    ['keeps the tier for 3 minutes', { ...GATEWAY, ...crowded(9), ...changed(2) }, STOPPED, CROWD, 'gateway', 'none'],
    [
      'changes the tier again after 3 minutes',
      { ...GATEWAY, ...crowded(9), ...changed(3) },
      STOPPED,
      CROWD,
      'host',
      'start',
    ],
    [
      'changes a tier whose change is in the future',
      { ...HOST, ...changed(-9), ...quiet(30) },
      running(),
      FEW,
      'gateway',
      'stop',
    ],
    [
      'keeps the tier if another clock is ahead',
      { ...HOST, ...changed(-1), ...quiet(30) },
      running(),
      FEW,
      'host',
      'none',
    ],
    ['obeys the mode host', { ...GATEWAY, mode: 'host' }, STOPPED, FEW, 'host', 'start'],
    ['obeys the mode gateway', { ...HOST, mode: 'gateway' }, running(), CROWD, 'gateway', 'stop'],
    ['obeys a mode without counts', { ...HOST, mode: 'gateway' }, running(), undefined, 'gateway', 'stop'],
    ['waits with a mode as well', { ...HOST, mode: 'gateway', ...changed(1) }, running(), FEW, 'host', 'none'],
    ['does not stop a new machine', { ...HOST, mode: 'gateway' }, running(30), FEW, 'gateway', 'none'],
    ['repeats a start that did not happen', { ...HOST, ...changed(1) }, STOPPED, FEW, 'host', 'start'],
    ['repeats a stop that did not happen', { ...GATEWAY, ...changed(1) }, running(), FEW, 'gateway', 'stop'],
    ['waits for a machine that starts', { ...GATEWAY, ...changed(9) }, CHANGING, FEW, 'gateway', 'none'],
    ['waits for a machine that stops', { ...HOST, ...changed(9) }, CHANGING, FEW, 'host', 'none'],
    ['begins with a running machine as the host', undefined, running(), FEW, 'host', 'none'],
    ['begins with a stopped machine as stopped', undefined, STOPPED, FEW, 'gateway', 'none'],
  ])('%s', (_, state, machine, counts, wanted, action) => {
    const decided = decide(state, { machine, health, counts }, LIMITS, NOW);
    expect([decided.next.wanted, decided.action]).toEqual([wanted, action]);
  });

  test.each<[string, Tier, MachineHealth, Tier['wanted']]>([
    ['the host while it is wanted and healthy', HOST, health, 'host'],
    ['API Gateway while the host is not wanted', GATEWAY, health, 'gateway'],
    ['API Gateway while the host is unhealthy', HOST, { kind: 'unhealthy', reason: 'no heartbeat' }, 'gateway'],
    ['API Gateway while the host recovers', HOST, { kind: 'recovering', since: ago(1) }, 'gateway'],
  ])('hints at %s', (_, state, given, hint) => {
    expect(decide(state, { machine: running(), health: given, counts: undefined }, LIMITS, NOW).hint).toBe(hint);
  });

  test('writes nothing while nothing changes', () => {
    expect(decide(HOST, { machine: running(), health, counts: { gateway: 50, host: 0 } }, LIMITS, NOW).next).toBe(HOST);
  });

  test('notes since when API Gateway is crowded or the service is quiet, and when that ends', () => {
    const next = (state: Tier, counts: TierCounts) =>
      decide(state, { machine: running(), health, counts }, LIMITS, NOW).next;
    expect(next(HOST, CROWD)).toEqual({ ...HOST, ...crowded(0), revision: 8 });
    expect(next(HOST, FEW)).toEqual({ ...HOST, ...quiet(0), revision: 8 });
    expect(next({ ...HOST, ...quiet(-9) }, FEW)).toEqual({ ...HOST, ...quiet(0), revision: 8 });
    expect(next({ ...HOST, ...quiet(9) }, { gateway: 0, host: 40 })).toEqual({ ...HOST, revision: 8 });
    expect(next({ ...HOST, ...changed(-9) }, { gateway: 50, host: 0 }).changedAt).toBeLessThan(NOW);
    const still = { ...HOST, ...quiet(9) };
    expect(next(still, FEW)).toBe(still);
  });

  test('starts with mode auto', () => {
    const { next } = decide(undefined, { machine: running(), health, counts: undefined }, LIMITS, NOW);
    expect(next).toEqual({ ...HOST, by: 'deployment', changedAt: NOW, revision: 1 });
  });
});

test('API Gateway is stuck with a crowd if the host has been wanted for more than two hours of it', () => {
  expect(isStuck({ ...HOST, ...crowded(130), ...changed(121) }, NOW)).toBe(true);
  expect(isStuck({ ...HOST, ...crowded(5) }, NOW)).toBe(false);
  expect(isStuck({ ...HOST, ...crowded(130), ...changed(120) }, NOW)).toBe(false);
  expect(isStuck({ ...HOST, ...quiet(5) }, NOW)).toBe(false);
  expect(isStuck({ ...GATEWAY, ...crowded(130), ...changed(121) }, NOW)).toBe(false);
});

/** A machine as EC2 plays it: each change takes some time. */
class PlayedMachine {
  now = NOW;
  #launchedAt = NOW;
  #change: { readonly to: 'running' | 'stopped'; readonly at: number } | undefined;
  #state: 'running' | 'stopped';

  constructor(state: 'running' | 'stopped') {
    this.#state = state;
  }

  observe(): TierObservation['machine'] {
    if (this.#change && this.now >= this.#change.at) {
      this.#state = this.#change.to;
      this.#change = undefined;
    }
    return { state: this.#change ? 'changing' : this.#state, launchedAt: this.#launchedAt };
  }

  act(action: 'start' | 'stop' | 'none', takes: number): void {
    if (action === 'none') return;
    if (action === 'start') this.#launchedAt = this.now;
    this.#change = { to: action === 'start' ? 'running' : 'stopped', at: this.now + takes };
  }
}

const minute = fc.record({
  elapses: fc.integer({ min: 0, max: 4 * MINUTE }),
  counts: fc.option(fc.record({ gateway: fc.nat(100), host: fc.option(fc.nat(100), { nil: undefined }) }), {
    nil: undefined,
  }),
  mode: fc.option(fc.constantFrom(...TIER_MODES), { nil: undefined }),
  takes: fc.integer({ min: 0, max: 5 * MINUTE }),
  isCallLost: fc.boolean(),
  isSecondDecider: fc.boolean(),
});

test('never changes the tier twice in 3 minutes, acts on a changing machine, or stops a new one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('running', 'stopped'),
      fc.array(minute, { minLength: 10, maxLength: 200 }),
      (first, minutes) => {
        const machine = new PlayedMachine(first);
        let stored: Tier | undefined;
        const changes: number[] = [];
        const write = (state: Tier | undefined, next: Tier) => {
          if (next === state) return true;
          if (next.revision !== (stored?.revision ?? 0) + 1) return false;
          if (stored && next.wanted !== stored.wanted) changes.push(machine.now);
          stored = next;
          return true;
        };
        for (const { elapses, counts, mode, takes, isCallLost, isSecondDecider } of minutes) {
          machine.now += elapses;
          if (mode && stored) stored = { ...stored, mode, revision: stored.revision + 1 };
          const state = stored;
          const observed = machine.observe();
          const observation = { machine: observed, health, counts };
          const { next, action } = decide(state, observation, LIMITS, machine.now);
          const isWritten = write(state, next);
          expect(isWritten).toBe(true);
          if (isSecondDecider && next !== state) {
            const second = decide(state, observation, LIMITS, machine.now + 1);
            expect(write(state, second.next)).toBe(false);
          }
          if (action !== 'none') expect(observed.state).toBe(action === 'start' ? 'stopped' : 'running');
          if (action === 'stop') expect(machine.now - observed.launchedAt).toBeGreaterThan(30 * MINUTE);
          if (!isCallLost) machine.act(action, takes);
        }
        for (const [n, at] of changes.entries()) {
          if (n > 0) expect(at - (changes[n - 1] ?? 0)).toBeGreaterThanOrEqual(3 * MINUTE);
        }
      },
    ),
  );
});

test.each(['running', 'stopped'] as const)('brings a machine that is %s to the wanted tier', (first) => {
  for (const mode of ['host', 'gateway'] as const) {
    const machine = new PlayedMachine(first);
    let stored: Tier = { ...HOST, mode };
    for (let n = 0; n < 40; n++) {
      machine.now += MINUTE;
      const { next, action } = decide(
        stored,
        { machine: machine.observe(), health, counts: undefined },
        LIMITS,
        machine.now,
      );
      stored = next;
      machine.act(action, 2 * MINUTE);
    }
    expect(machine.observe().state).toBe(mode === 'host' ? 'running' : 'stopped');
  }
});
