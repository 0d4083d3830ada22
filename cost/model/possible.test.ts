import { describe, expect, test } from '@jest/globals';
import { renderText } from '../cli/text.ts';
import { assumed, ranges } from '../testing/assumed.ts';
import { ARCHITECTURES, compare, costOf, readiness } from './report/compare.ts';
import { costCurve } from './report/crossings.ts';
import { reportOn } from './report/report.ts';
import { PRESETS } from './workload/presets.ts';
import { parseWorkload } from './workload/workload.ts';

const needsOf = (workload: Parameters<typeof parseWorkload>[0]) =>
  costOf('serverless', parseWorkload(workload), assumed).needs;

describe('serverless', () => {
  test('needs a higher quota above 180,000 connections: their pings at 18 s are 10,000 requests a second', () => {
    expect(needsOf({ connections: 178_000 })).toEqual([]);
    expect(needsOf({ connections: 181_000 })).toEqual([
      expect.stringMatching(
        /^10,1\d\d requests a second in the busiest hour exceed the quota of 10,000 \(L-8A5B8E43\)$/,
      ),
    ]);
    expect(needsOf({ connections: 181_000, requestQuota: 20_000 })).toEqual([]);
  });

  test('counts every kind of request: posts of changes, events, and three for each opening', () => {
    const still = { connections: 100, sdks: [{ share: 1, pingSeconds: 600, type: 'client' as const }] };
    const perSecond = (more: object) =>
      Number(
        /^([\d,]+) requests/.exec(needsOf({ ...still, ...more, requestQuota: 1 })[0] ?? '')?.[1]?.replace(',', ''),
      );
    expect(perSecond({ changesPerDay: 864_000 })).toBe(1_000);
    // Ten events a request.
    expect(perSecond({ eventsPerHour: 360_000, changesPerDay: 0 })).toBe(1_000);
    expect(perSecond({ newPerHour: 1_200_000, changesPerDay: 0, connectQuota: 1_000 })).toBe(1_000);
  });

  test('needs a higher quota for more than 500 new connections a second', () => {
    expect(needsOf({ connections: 1_000, newPerHour: 2_000_000 })).toEqual([
      '556 new connections a second in the busiest hour exceed the quota of 500 (L-9ED1E49A)',
    ]);
  });
});

describe('an option that is ruled out, or not ready', () => {
  const million = reportOn(parseWorkload(PRESETS.stormforge.workload), ranges);
  const [serverless] = million.architectures;

  test('has no cost in a comparison, and no upper end', () => {
    expect(serverless).toMatchObject({ isPossible: false, problems: [], high: Number.POSITIVE_INFINITY });
    expect(readiness(serverless as NonNullable<typeof serverless>)).toBe('after a quota increase');
    for (const { isPossible, low, high, bill } of compare(parseWorkload({ connections: 200_000 }), ranges)) {
      if (!isPossible) continue;
      expect(low).toBeLessThanOrEqual(bill.total);
      expect(high).toBeGreaterThanOrEqual(bill.total);
    }
  });

  test('counts with quotas that AWS raised, unless something else rules it out', () => {
    const raised = { requestQuota: 2e6, connectQuota: 1e6 };
    const possible = parseWorkload({ ...PRESETS.stormforge.workload, ...raised });
    expect(costOf('serverless', possible, assumed)).toMatchObject({ isPossible: true, needs: [] });
    const huge = parseWorkload({ connections: 1, flags: 10_000, flagBytes: 350_000, ...raised });
    expect(costOf('serverless', huge, assumed).isPossible).toBe(false);
  });

  test('is in no chart: its line ends where it ends', () => {
    const curve = costCurve(parseWorkload({ connections: 1_000 }), ranges);
    expect(
      curve.filter(({ connections }) => connections > 200_000).every(({ usd }) => usd.serverless === undefined),
    ).toBe(true);
  });

  test('shows no number in any row of the terminal’s tables, and a reason below', () => {
    const text = renderText(million, 'A million');
    const column = Object.keys(ARCHITECTURES).indexOf('serverless') + 1;
    const rows = text
      .split('\n')
      .filter((line) => / {2,}\S/.test(line) && !line.startsWith(' '))
      .map((line) => line.split(/ {2,}/));
    expect(rows).toContainEqual(['serverless', '–', '–', '–', 'after a quota increase']);
    const parts = rows.findIndex(([, name]) => name === 'serverless');
    const shown = rows.slice(parts + 1).map((row) => row[column]);
    expect(shown.length).toBeGreaterThan(10);
    expect(shown.filter((cell) => cell?.includes('$'))).toEqual([]);
    expect(text).toContain('serverless needs a quota increase (docs/scale.md#quotas-for-a-million-connections): ');
  });
});
