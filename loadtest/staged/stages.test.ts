import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aLoad, aState } from '../testing/staged.ts';
import type { Measured } from './measured.ts';
import { baseOf, goThroughStages, lastOf, type Measure, stagesOf } from './stages.ts';
import type { StagedState } from './state.ts';

/** A service each of whose tasks uses 80 % of its processor at so many clients. */
function aService(capacity: number, change: (load: Measured, name: string) => Measured = (load) => load) {
  const asked: string[] = [];
  const measure: Measure = async (clients, tasks, name) => {
    asked.push(`${name}: ${clients} on ${tasks}`);
    return change(aLoad({ clients, tasks, cpu: (0.8 * clients) / tasks / capacity }), name);
  };
  return { asked, measure };
}

/** Goes on from a state. @returns what it has then, and why it stopped */
async function goOn(state: StagedState, measure: Measure) {
  let after = state;
  const stopped = await goThroughStages(state, 100, measure, (found) => {
    after = JSON.parse(JSON.stringify({ ...after, ...found }));
  }).catch((error: Error) => error.message);
  return { after, stopped };
}

describe('the stages', () => {
  test('are 10, 50 and 100 % of what all tasks carry', () => {
    expect(stagesOf(1_000, 4)).toEqual([
      { name: '10 %', clients: 400, tasks: 1 },
      { name: '50 %', clients: 2_000, tasks: 2 },
      { name: '100 %', clients: 4_000, tasks: 4 },
    ]);
  });

  test('never put more on a task than its base capacity, nor take more tasks than there may be', () => {
    const whole = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(whole(50_000), whole(40), whole(500_000), (base, most, goal) => {
        if (Math.ceil(goal / base) > most) {
          expect(() => stagesOf(base, most, goal)).toThrow('Raise --tasks, or lower --goal');
          return;
        }
        const stages = stagesOf(base, most, goal);
        expect(stages.at(-1)?.clients).toBe(goal);
        for (const { clients, tasks } of stages) expect([clients <= tasks * base, tasks <= most]).toEqual([true, true]);
      }),
    );
  });
});

describe('going through them', () => {
  test('finds the base capacity at 80 % of a processor, then goes to the goal', async () => {
    const { asked, measure } = aService(1_000);
    const { after, stopped } = await goOn(aState(), measure);
    expect(stopped).toBeUndefined();
    const base = baseOf(after)?.clients ?? 0;
    expect([base <= 1_000, base > 940]).toEqual([true, true]);
    expect(lastOf(after)).toMatchObject({ clients: 4 * base, tasks: 4 });
    expect(asked.slice(-3).map((each) => each.split(':')[0])).toEqual(['10 %', '50 %', '100 %']);
  });

  test('stops at the first gate that is not kept, and goes on there', async () => {
    const slow = aService(1_000, (load, name) => (name === '50 %' ? { ...load, replyP99: 300 } : load));
    const { after, stopped } = await goOn(aState(), slow.measure);
    expect(stopped).toBe('50 %: FAILED: reply.p99 is 300, at most 200');
    expect(lastOf(after)).toBeUndefined();
    const well = aService(1_000);
    expect((await goOn(after, well.measure)).stopped).toBeUndefined();
    expect(well.asked.map((each) => each.split(':')[0])).toEqual(['50 %', '100 %']);
  });

  test('measures nothing twice, wherever it was interrupted', async () => {
    const whole = aService(1_000);
    const { after: expected } = await goOn(aState(), whole.measure);
    for (let calls = 0; calls < whole.asked.length; calls++) {
      const first = aService(1_000);
      const broken: Measure = (...load) =>
        first.asked.length === calls ? Promise.reject(new Error('interrupted')) : first.measure(...load);
      const { after } = await goOn(aState(), broken);
      const second = aService(1_000);
      expect((await goOn(after, second.measure)).after).toEqual(expected);
      expect([...first.asked, ...second.asked]).toEqual(whole.asked);
    }
  });

  test('says that the generator was the limit of one task, and looks there again', async () => {
    const late = aService(1_000, (load) => (load.clients >= 800 ? { ...load, bottlenecks: ['it was late'] } : load));
    const { after, stopped } = await goOn(aState(), late.measure);
    expect(stopped).toMatch(/^base: the generator was the limit of one task, not the task: it was late\. /);
    const well = aService(1_000);
    await goOn(after, well.measure);
    expect(well.asked[0]).toBe('base: 800 on 1');
  });

  test('says that there is no base capacity', async () => {
    const { stopped } = await goOn(aState(), aService(1_000, (load) => ({ ...load, errorPercent: 100 })).measure);
    expect(stopped).toBe('base: not even one client is within the gates');
  });
});
