import { describe, expect, test } from '@jest/globals';
import { renderText } from '../../cli/text.ts';
import { assumed, ranges } from '../../testing/assumed.ts';
import { ENGLISH } from '../workload/figures.ts';
import { PRESETS } from '../workload/presets.ts';
import { parseWorkload, type WorkloadInput } from '../workload/workload.ts';
import { compare } from './compare.ts';
import { notesOf, reportOn } from './report.ts';
import { verdictOf } from './verdict.ts';

const verdict = (input: WorkloadInput) => {
  const workload = parseWorkload(input);
  return verdictOf(workload, compare(workload, ranges), assumed);
};
const notes = (input: WorkloadInput) => reportOn(parseWorkload(input), ranges).architectures.flatMap(notesOf);

describe('the verdict', () => {
  test.each(Object.entries(PRESETS))('is above the table for %s: choice, cost, command', (_, preset) => {
    const report = reportOn(parseWorkload(preset.workload), ranges);
    const { headline, range, command = 'no command', architecture } = report.verdict;
    const [first = ''] = renderText(report, preset.title).split('a month, US dollars');
    expect(first.split('\n').slice(0, 2)).toEqual([`${preset.title}: ${headline} (${range})`, `  ${command}`]);
    const choice = report.architectures.find((each) => each.architecture === architecture);
    expect(headline).toMatch(new RegExp(`^${choice?.name} — \\$[\\d,]+/month(, for 1 hour of load a month)?$`));
    expect(command).toBe(choice?.command);
  });

  test('says for how many hours the cost of hosts is that do not run all month', () => {
    expect(verdict(PRESETS.stormforge.workload).headline).toMatch(/\/month, for 1 hour of load a month$/);
    expect(verdict(PRESETS.saas.workload).headline).toMatch(/\/month$/);
  });

  test('offers one t2.micro with unlimited credits where only its credits are in doubt', () => {
    const workload = parseWorkload(PRESETS['small-business'].workload);
    const slow = { ...ranges, high: { ...ranges.high, t2CoreFactor: 10 } };
    const { architecture, cheaper } = verdictOf(workload, compare(workload, slow), assumed);
    expect(architecture).toBe('fargate');
    expect(cheaper?.about).toMatch(/^Cheaper: one t2\.micro with host\.credits=unlimited — \$\d+\/month\. /);
    expect(cheaper?.command).toMatch(/ --set host\.credits=unlimited$/);
    expect(verdict(PRESETS.saas.workload).cheaper).toBeUndefined();
  });

  test('passes over what the worst assumptions rule out', () => {
    // At the worst, connections take more memory than one machine has.
    const workload: WorkloadInput = {
      connections: 12_000,
      sdks: [{ share: 1, pingSeconds: 600, type: 'client' }],
      credits: 'unlimited',
      changesPerDay: 0,
    };
    expect(verdict(workload).architecture).not.toBe('t2');
    expect(notes(workload)).toContainEqual(
      expect.stringMatching(/^one t2.micro is ruled out by the worst assumptions: holds at most 8,9\d\d connections/),
    );
    const only = compare(parseWorkload(workload), ranges).filter((each) => each.architecture === 't2');
    const alone = verdictOf(parseWorkload(workload), only, assumed);
    expect(alone.headline).toMatch(/^one t2.micro — \$\d+\/month$/);
    expect(alone.range).toMatch(/, or ruled out$/);
  });

  test('takes no option that assumes what nobody has seen, unless it is the only one', () => {
    const workload = parseWorkload({ connections: 500 });
    const costs = compare(workload, ranges);
    const door = costs.filter(({ assumes }) => assumes !== undefined);
    const t2 = costs.find(({ architecture }) => architecture === 't2');
    expect(door.map(({ architecture, isPossible }) => [architecture, isPossible])).toEqual([['door', true]]);
    expect(door[0]?.bill.total).toBeLessThan(Number(t2?.bill.total));
    expect(verdictOf(workload, costs, assumed).architecture).toBe('t2');
    expect(verdictOf(workload, door, assumed).architecture).toBe('door');
  });

  test('takes an option that needs a quota increase only with a higher quota', () => {
    const load: WorkloadInput = { connections: 1, newPerHour: 0, requestQuota: 1, eventsPerHour: 54_000 };
    expect(verdict(load).architecture).not.toBe('serverless');
    expect(verdict({ ...load, requestQuota: 100 }).architecture).toBe('serverless');
  });

  test('is empty where nothing can serve the load', () => {
    const { headline, command } = verdict({ connections: 1, flags: 10_000, flagBytes: 350_000 });
    expect([headline, command]).toEqual(['None of these options', undefined]);
  });

  test('rounds its figure, which is exact from the cent down to fractions of it', () => {
    const { rounded } = ENGLISH;
    expect([rounded(2.56), rounded(0.06), rounded(1_234.4)]).toEqual(['$3/month', '$0.06/month', '$1,234/month']);
  });
});

test('notes say what rules an option out, which quotas it needs, and what it lacks', () => {
  expect(notes({ connections: 5_000_000 })).toContainEqual(
    expect.stringMatching(/^Fargate needs a quota increase .*: \d+ vCPUs of tasks exceed /),
  );
  expect(notes({ connections: 1, flags: 10_000, flagBytes: 350_000 })[0]).toBe(
    'serverless is ruled out: the environments do not fit in the 0.5 GB of a function',
  );
  expect(notes({ connections: 3_000 })).toContain(
    'one t2.micro lacks failover: while the machine is down, no SDK receives changes',
  );
});
