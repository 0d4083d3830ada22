import { describe, expect, test } from '@jest/globals';
import type { ShownPlan } from '../../plans.ts';
import { aFlag } from '../testing/documents.ts';
import { localTime, openPlanTexts, planLines, previewSteps, readGuards } from './plans.ts';

const NOW = Date.parse('2030-01-01T00:00:00Z');
const step = (kind: 'waiting' | 'applied') => ({
  at: NOW,
  text: 'Switch: off → on',
  outcome: kind === 'waiting' ? { kind } : { kind, at: NOW },
});
const aPlan = (changed: Partial<ShownPlan> = {}): ShownPlan => ({
  id: 'p-1',
  kind: 'flag',
  documentId: 'f',
  by: 'ann',
  command: '',
  createdAt: NOW,
  state: { kind: 'running' },
  guards: [],
  steps: [step('applied'), step('waiting')],
  ...changed,
});
const fields = (...all: [percent: string, time: string][]) => all.map(([percent, time]) => ({ percent, time }));
const hoursOn = (hours: number) => localTime(NOW + hours * 3_600_000);

describe('the preview of a gradual rollout', () => {
  test('has the time and the shares of each step', () => {
    expect(previewSteps(aFlag(), 'on', fields(['10', 'now'], ['50', hoursOn(2)], ['100', hoursOn(24)]), NOW)).toEqual([
      { share: 0.1, at: NOW, text: 'true 10 %, false 90 %' },
      { share: 0.5, at: NOW + 7_200_000, text: 'true 50 %, false 50 %' },
      { share: 1, at: NOW + 86_400_000, text: 'true 100 %' },
    ]);
  });

  test.each([
    [['', 'now'], 'Enter a percentage'],
    [['x', 'now'], 'Enter a percentage'],
    [['101', 'now'], 'Enter a percentage'],
    [['10', ''], 'Enter a date and a time.'],
    [['10', hoursOn(-24)], 'is in the past'],
  ] as const)('says why %j is refused', ([percent, time], problem) => {
    expect(previewSteps(aFlag(), 'on', fields([percent, time]), NOW)).toEqual([
      { problem: expect.stringContaining(problem) },
    ]);
  });

  test('has the shares of a rule', () => {
    const flag = aFlag();
    expect(previewSteps(flag, 'off', fields(['10', 'now'], ['20', hoursOn(1)]), NOW, flag.rules[1]?.id)).toMatchObject([
      { text: 'false 10 %, true 90 %' },
      { text: 'false 20 %, true 80 %' },
    ]);
  });

  test('refuses a smaller share, and continues with the steps after it', () => {
    const [, smaller, last] = previewSteps(
      aFlag(),
      'on',
      fields(['50', 'now'], ['20', hoursOn(1)], ['60', hoursOn(2)]),
      NOW,
    );
    expect([smaller, last]).toEqual([
      { problem: expect.stringContaining('20 % is too small') },
      expect.objectContaining({ text: 'true 60 %, false 40 %' }),
    ]);
  });
});

describe('guards', () => {
  test('are a name on each line, and watch the last step for a duration', () => {
    expect(readGuards(' errors\n\nlate sync \n', ' 2h ')).toEqual({
      guarding: { guards: ['errors', 'late sync'], watch: '2h' },
    });
    expect(readGuards('errors', ' ')).toEqual({ guarding: { guards: ['errors'] } });
    expect(readGuards('errors', 'soon')).toEqual({
      guarding: { guards: ['errors'] },
      problem: '"soon" is not a duration; write 30s, 30m, 2h or 1d',
    });
  });

  test('do not watch without an alarm', () => {
    expect(readGuards(' \n', 'soon')).toEqual({ guarding: {} });
  });
});

describe('an open plan', () => {
  test('is paused by a change while it runs, and refuses another plan', () => {
    const refusal = 'A plan is open. Abort it, or wait for its end.';
    const asked = { plans: [aPlan({ state: { kind: 'done', at: NOW } }), aPlan()] };
    expect(openPlanTexts(asked)).toEqual({ refusal, pause: 'This pauses the plan (next: step 2 of 2).' });
    const paused = aPlan({ state: { kind: 'paused', at: NOW, reason: 'x' } });
    expect(openPlanTexts({ plans: [paused] })).toEqual({ refusal });
  });

  test('does neither after its end, or while it is not known', () => {
    for (const asked of [undefined, { failure: 'x' }, { plans: [aPlan({ state: { kind: 'done', at: NOW } })] }])
      expect(openPlanTexts(asked)).toEqual({});
  });
});

describe('plans in the attention list', () => {
  const state = { kind: 'paused', at: NOW, reason: 'alarm Errors is in ALARM' } as const;

  test('are problems with reason and link if paused, and planned changes if running', () => {
    const plans = [aPlan({ state }), aPlan({ state, kind: 'segment', documentId: 's' }), aPlan()];
    expect(planLines({ plans }, () => 'Beta')).toEqual([
      {
        kind: 'problem',
        text: 'The plan of flag f is paused',
        detail: 'alarm Errors is in ALARM. Resume the plan, skip its next step, or abort it.',
        at: { view: 'flags', id: 'f' },
        since: NOW,
      },
      expect.objectContaining({ text: 'The plan of segment Beta is paused', at: { view: 'segments', id: 's' } }),
      {
        kind: 'planned',
        text: 'Plan of flag f',
        detail: expect.stringMatching(/: Switch: off → on$/),
        at: { view: 'flags', id: 'f' },
      },
    ]);
  });

  test('are reported as not checked if they cannot be read', () => {
    expect(planLines(undefined, String)).toEqual([]);
    expect(planLines({ failure: 'no permission' }, String)).toEqual([
      { kind: 'unread', text: 'Plans were not checked: no permission' },
    ]);
  });
});
