import { describe, expect, test } from '@jest/globals';
import { assumed } from '../testing/assumed.ts';
import { unitsADay } from './designs/fargate.ts';
import { BUSY_CORES, hostHours, processesFor } from './designs/hostCapacity.ts';
import { costOf } from './report/compare.ts';
import { parseWorkload, type WorkloadInput } from './workload/workload.ts';

const t2 = (workload: WorkloadInput) => costOf('t2', parseWorkload({ pollIntervalMs: 50, ...workload }), assumed);
const fargate = (workload: WorkloadInput) => costOf('fargate', parseWorkload(workload), assumed);

describe('a host', () => {
  test('has to do what its connections ask, on a core of its machine', () => {
    const [hour] = hostHours(
      parseWorkload({ connections: 3_600, newPerHour: 7_200, changesPerDay: 24, pollIntervalMs: 50 }),
      assumed,
      2,
    );
    // 3,600 × 200 pings of 0.02 ms, 7,200 syncs of 0.3 ms, 3,600 pushes of 0.02 ms; twice as long on a t2.micro.
    expect(hour?.cores).toBeCloseTo((2 * (720_000 * 0.02 + 7_200 * 0.3 + 3_600 * 0.02)) / 3_600_000, 9);
    // A hundredth of a core, and 0.5 ms twenty times a second, or a hundred times in 24 minutes of the day.
    expect(hour?.ownCores).toBeCloseTo(2 * (0.01 + 0.0005 * (20 + 80 / 60)), 9);
  });

  test('is one process for as many connections as it holds, or for as much work as it can do', () => {
    const hour = { held: 18_000, started: 0, cores: 0.1, ownCores: 0 };
    expect(processesFor(hour, 18_000)).toBe(1);
    expect(processesFor({ ...hour, held: 18_001 }, 18_000)).toBe(2);
    expect(processesFor({ ...hour, cores: 3 * BUSY_CORES }, 18_000)).toBe(3);
    expect(processesFor({ ...hour, held: 0, cores: 0 }, 18_000)).toBe(1);
    expect(processesFor({ ...hour, ownCores: BUSY_CORES }, 18_000)).toBe(Number.POSITIVE_INFINITY);
    expect(processesFor(hour, 4_500, 0.25)).toBe(4);
  });
});

describe('one t2.micro', () => {
  test('says why it cannot serve a load', () => {
    expect(t2({ connections: 1_000 }).problems).toEqual([]);
    expect(t2({ connections: 20_000 }).problems[0]).toBe(
      'holds at most 17,999 connections, and the busiest hour has 20,000',
    );
    expect(t2({ connections: 9_000, newPerHour: 3_600_000 }).problems).toContainEqual(
      expect.stringMatching(/^needs \d+ % CPU on average; its credits sustain 10 %, unless host\.credits=unlimited$/),
    );
    // The least load that is above the baseline.
    let [below, above] = [0, 9_000_000];
    while (above - below > 1) {
      const between = Math.floor((above + below) / 2);
      if (t2({ connections: 1_000, newPerHour: between }).problems.length > 0) above = between;
      else below = between;
    }
    expect(t2({ connections: 1_000, newPerHour: above }).problems).toEqual([
      'needs 11 % CPU on average; its credits sustain 10 %, unless host.credits=unlimited',
    ]);
    expect(t2({ connections: 1_000, newPerHour: 36_000_000 }).problems).toContainEqual(
      expect.stringMatching(/^needs 6\.\d cores in the busiest hour, and has one$/),
    );
  });

  test.each([
    [350_000, /^needs 11 % CPU on average; its credits sustain 10 %,/],
    [5_776_700, /^needs 1\.1 cores in the busiest hour, and has one$/],
  ])('with %i new connections an hour names a need that is above the limit, though hardly', (newPerHour, problem) => {
    expect(t2({ connections: 1_000, newPerHour, changesPerDay: 0 }).problems).toEqual([expect.stringMatching(problem)]);
    expect(t2({ connections: 1_000, newPerHour: newPerHour * 0.98, changesPerDay: 0 }).problems).not.toEqual([
      expect.stringMatching(problem),
    ]);
  });

  test('continues for a charge in unlimited mode', () => {
    const { problems, bill } = t2({
      connections: 9_000,
      newPerHour: 3_600_000,
      changesPerDay: 0,
      credits: 'unlimited',
    });
    expect(problems).toEqual([]);
    const surplus = bill.items.find(({ price }) => price === 't2SurplusHour');
    // 1,000 a second at 0.3 ms and 500 pings a second at 0.02, twice as long, and 0.04 of its own: 0.66 cores, less 0.1.
    expect(surplus?.quantity).toBeCloseTo(0.56 * 730, 6);
  });

  test('polls for changes while there are connections, as often as it is set to', () => {
    const looks = (workload: WorkloadInput) =>
      t2(workload).bill.items.find(({ what }) => what === 'polls for changes')?.quantity;
    const quiet = { connections: 1, changesPerDay: 0 };
    expect(looks(quiet)).toBeCloseTo(730 * 3_600 * 20, 3);
    expect(looks({ ...quiet, pollIntervalMs: 500 })).toBeCloseTo(730 * 3_600 * 2, 3);
    expect(looks({ connections: 0 })).toBe(0);
    // A minute at a hundred a second after each change; while all is being edited all the time, no more than that.
    expect(looks({ ...quiet, changesPerDay: 144 })).toBeCloseTo(730 * 3_600 * (20 + 0.1 * 80), 3);
    expect(looks({ ...quiet, changesPerDay: 10_000 })).toBeCloseTo(730 * 3_600 * 100, 3);
    expect(looks({ ...quiet, changesPerDay: 144, fastPollSeconds: 30 })).toBeCloseTo(730 * 3_600 * (20 + 0.05 * 80), 3);
    expect(looks({ ...quiet, changesPerDay: 10_000, fastPollSeconds: 0 })).toBeCloseTo(730 * 3_600 * 20, 3);
  });
});

describe('an environment that is edited all day', () => {
  // 1,270 minutes of 1,440 are within a minute of a change.
  const edited = { connections: 1, changesPerDay: 1_270, pollIntervalMs: 500 } as const;
  const reason = (group: string) =>
    `edited so often that hosts read every 10 ms nearly all day; lower ${group}.fastPollSeconds`;

  test('is named as the reason where hosts are ruled out, and where they are not', () => {
    expect(t2(edited).notes).toEqual([reason('host')]);
    expect(fargate(edited).notes).toContain(reason('fargate'));
    expect(fargate({ ...edited, changesPerDay: 864 }).notes).toContain(
      'edited so often that hosts read every 10 ms 60 % of the day; lower fargate.fastPollSeconds',
    );
  });

  test('costs hosts no more than others where fast polls are off', () => {
    const calm = { ...edited, fastPollSeconds: 0 };
    expect(t2(calm)).toMatchObject({ problems: [], notes: [] });
    const polls = (workload: WorkloadInput) =>
      t2(workload).bill.items.find(({ what }) => what === 'polls for changes')?.quantity;
    expect(polls(calm)).toBeCloseTo(730 * 3_600 * 2, 3);
  });
});

describe('the endpoint in front of machines', () => {
  const load = { connections: 1_000, newPerHour: 3_600, changesPerDay: 0 } as const;
  const quantity = (found: ReturnType<typeof t2>, price: string) =>
    found.bill.items.filter((item) => item.price === price).reduce((sum, item) => sum + item.quantity, 0);

  test('is CloudFront for one with TLS: it charges for data, handshakes and what clients send', () => {
    const found = t2(load);
    expect(quantity(found, 'dataOut')).toBe(0);
    expect(quantity(found, 'cdnDataOut')).toBeGreaterThan(0);
    expect(quantity(found, 'cdnRequest')).toBeCloseTo(3_600 * 730, 3);
    expect(quantity(found, 'cdnToOrigin')).toBeCloseTo((1_000 * 200 * 730 * 160) / 1024 ** 3, 6);
  });

  test('is nothing for one without TLS, which then sends less', () => {
    const found = t2({ ...load, tls: false });
    expect(quantity(found, 'cdnDataOut')).toBe(0);
    const less = quantity(t2(load), 'cdnDataOut') - quantity(found, 'dataOut');
    expect(less).toBeCloseTo((3_600 * 730 * (4_000 - 300)) / 1024 ** 3, 9);
  });

  test('is a load balancer for several', () => {
    const found = fargate(load);
    expect(quantity(found, 'loadBalancerHour')).toBe(730);
    // Its own two, and those of two tasks.
    expect(quantity(found, 'publicIpv4Hour')).toBe(4 * 730);
    expect(quantity(found, 'loadBalancerUnitHour')).toBeCloseTo((730 * 1_000) / 3_000, 6);
    expect(quantity(found, 'cdnRequest')).toBe(0);
  });

  test('without TLS is a lack, and so is one machine only', () => {
    expect(t2(load).lacks).toEqual([expect.stringContaining('failover')]);
    expect(fargate(load)).toMatchObject({ machines: 2, lacks: [] });
    expect(fargate({ ...load, tls: false }).lacks).toEqual([expect.stringContaining('https')]);
  });
});

test.each(['serverless', 't2', 'fargate'] as const)(
  'an environment of 3.5 GB fits no machine, task or function: %s',
  (which) => {
    const huge = parseWorkload({ connections: 1, flags: 10_000, flagBytes: 350_000 });
    expect(costOf(which, huge, assumed).problems).toContainEqual(expect.stringMatching(/do not fit/));
  },
);

describe('Fargate', () => {
  test('takes the smallest tasks that do, and says what makes the stack so', () => {
    expect(fargate({ connections: 100 })).toMatchObject({
      machines: 2,
      notes: ['2 tasks of 0.25 vCPU and 0.5 GB'],
      command: expect.stringContaining(' --set fargate.vcpu=0.25 --set fargate.connections=7932 '),
    });
    expect(fargate({ connections: 38_000 })).toMatchObject({
      notes: ['3 tasks of 0.5 vCPU and 1 GB'],
      command: expect.stringContaining(
        ' --set fargate.vcpu=0.5 --set fargate.count=3 --set fargate.connections=17999 ',
      ),
    });
  });

  test.each([
    // A day of 3,000 TLS connections, or 100,000 without TLS, is one unit each hour.
    [{ connections: 3_000 }, 24],
    [{ connections: 100_000, tls: false, sdks: [{ share: 1, pingSeconds: 600, type: 'client' }] }, 24],
    // 500 new ones a second with TLS are ten units.
    [{ connections: 600, newPerHour: 1_800_000, flags: 0 }, 240],
  ] as const)('for %j needs %i unit hours a day of its balancer', (workload, units) => {
    expect(unitsADay(parseWorkload(workload as unknown as WorkloadInput), assumed)).toBeCloseTo(units, 6);
  });
});
