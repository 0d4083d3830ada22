import { describe, expect, test } from '@jest/globals';
import { renderText } from '../cli/text.ts';
import { assumed, ranges } from '../testing/assumed.ts';
import { ARCHITECTURES, compare, costOf } from './compare.ts';
import { costCurve } from './crossings.ts';
import { PRESETS } from './presets.ts';
import { reportOn } from './report.ts';
import { parseWorkload } from './workload.ts';

const problemsOf = (workload: Parameters<typeof parseWorkload>[0]) =>
  costOf('serverless', parseWorkload(workload), assumed).problems;

describe('serverless', () => {
  test('cannot pass what the account allows: pings of 180,000 connections at 18 s are 10,000 requests a second', () => {
    expect(problemsOf({ connections: 178_000 })).toEqual([]);
    expect(problemsOf({ connections: 181_000 })).toEqual([
      expect.stringMatching(
        /^its busiest hour has 10,1\d\d requests a second, and the account allows 10,000; AWS raises that on request/,
      ),
    ]);
    expect(problemsOf({ connections: 181_000, requestQuota: 20_000 })).toEqual([]);
  });

  test('counts every kind of request: messages, posts of changes, events, and three for each connection that opens', () => {
    const still = { connections: 100, sdks: [{ share: 1, pingSeconds: 600, type: 'client' as const }] };
    const perSecond = (more: object) =>
      Number(
        /has ([\d,]+) requests/
          .exec(problemsOf({ ...still, ...more, requestQuota: 1 })[0] ?? '')?.[1]
          ?.replace(',', ''),
      );
    expect(perSecond({ messagesPerHour: 36_000, changesPerDay: 0 })).toBe(1_000);
    expect(perSecond({ changesPerDay: 864_000 })).toBe(1_000);
    // Ten events a request.
    expect(perSecond({ eventsPerHour: 360_000, changesPerDay: 0 })).toBe(1_000);
    expect(perSecond({ newPerHour: 1_200_000, changesPerDay: 0, connectQuota: 1_000 })).toBe(1_000);
  });

  test('cannot open more connections a second than the account allows', () => {
    expect(problemsOf({ connections: 1_000, newPerHour: 2_000_000 })).toEqual([
      expect.stringMatching(/^its busiest hour opens 556 connections a second, and the account allows 500/),
    ]);
  });
});

describe('what cannot be done', () => {
  const million = reportOn(parseWorkload(PRESETS.stormforge.workload), ranges);
  const [serverless] = million.architectures;

  test('has no cost in a comparison, and its upper end is not at all', () => {
    expect(serverless).toMatchObject({ isPossible: false, high: Number.POSITIVE_INFINITY });
    for (const { isPossible, low, high, bill } of compare(parseWorkload({ connections: 200_000 }), ranges)) {
      if (!isPossible) continue;
      expect(low).toBeLessThanOrEqual(bill.total);
      expect(high).toBeGreaterThanOrEqual(bill.total);
    }
  });

  test('is in no chart: its line ends where it ends', () => {
    const curve = costCurve(parseWorkload({ connections: 1_000 }), assumed);
    expect(
      curve.filter(({ connections }) => connections > 200_000).every(({ usd }) => usd.serverless === undefined),
    ).toBe(true);
  });

  test('shows no number in any row of the terminal’s table, and a reason below', () => {
    const text = renderText(million, 'A million');
    const column = Object.keys(ARCHITECTURES).indexOf('serverless') + 1;
    const rows = text
      .split('\n')
      .filter((line) => line.startsWith('│'))
      .map((line) => line.split('│').map((cell) => cell.trim()));
    const shown = rows.slice(1).map((row) => row[column + 1]);
    expect(shown).toContain('not possible');
    expect(shown.filter((cell) => cell?.includes('$'))).toEqual([]);
    expect(text).toContain('API Gateway and Lambda is ruled out: its busiest hour');
  });
});
