import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Slice } from '../measure/slice.ts';
import { renderMarkdown } from '../report/write.ts';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { aLoadProfile } from '../testing/results.ts';
import type { MeasuredDesign } from './cells.ts';
import { comparisonDocument, describeRuns, showCell } from './comparisonDocument.ts';
import { type ComparisonFacts, comparisonReport } from './comparisonReport.ts';
import { TARGETS } from './designs.ts';
import { p99Chart } from './p99Chart.ts';
import { comparisonSchema } from './reportSchema.ts';

const { machine, versions, startedAt } = campaignFacts();
const facts: ComparisonFacts = { startedAt, endedAt: startedAt, machine, versions };
const plan = aLoadProfile();

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-compare-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** A design whose data-syncs take so long at these rates, as it was played, and whose handshakes fail so often. Each run has 2,000 clients. */
function measured(name: string, syncMs: Readonly<Record<number, number>>, refused = 0): MeasuredDesign {
  const runs = Object.entries(syncMs).map(([rate, ms]) => ({
    facts: { rate: Number(rate), plan },
    worker: withMore(refused > 0 ? refusing(ms, refused) : workerWith(ms), 20),
    usage: { cpu: 0.45, memory: 0.11 * 1024 ** 3 },
  }));
  const design = Object.values(TARGETS)
    .flat()
    .find((each) => each.name === name);
  if (!design) throw new Error(`there is no ${name}`);
  return {
    design,
    short: makeCampaignFiles(join(directory, name), campaignFacts({ scenario: 'reference', target: name }), runs),
  };
}

function refusing(ms: number, refused: number) {
  const counters = { errors: refused, 'error: the handshake was refused': refused };
  return workerWith(ms).map((slice) => ({ ...slice, counters: { ...slice.counters, ...counters } }));
}

/** A worker with this many times as many clients. */
function withMore(worker: readonly Slice[], by: number): Slice[] {
  return worker.map(({ counters, times: { sync = [] }, ...slice }) => ({
    ...slice,
    counters: Object.fromEntries(Object.entries(counters).map(([name, count]) => [name, count * by])),
    times: { sync: sync.map(([us, count]) => [us, count * by] as const) },
  }));
}

describe('the comparison', () => {
  test('begins with a sentence on each design at each rate', () => {
    const designs = [measured('host', { 1000: 17.03, 1100: 900 }), measured('serverless-raised', { 20: 40 })];
    const { sections } = comparisonDocument(comparisonReport(facts, designs, [1_000, 1_100]));
    const sentence = (design: string, rate: string, outcome: string) => ({
      isGood: outcome.startsWith('met'),
      text: `${design}, ${rate} new connections a second: P99 < 200 ms, errors < 1 %: ${outcome}`,
    });
    expect(sections[0]?.verdicts).toEqual([
      sentence('one host, two processes on a core', '1,000', 'met on this core'),
      sentence('one host, two processes on a core', '1,100', 'not met on this core'),
      sentence('serverless, quotas × 10', '1,000', 'met'),
      sentence('serverless, quotas × 10', '1,100', 'no result'),
    ]);
  });

  test('lists FeatBit’s figures next to those of each design, with their sources', () => {
    const designs = [measured('host', { 1100: 17.03 }), measured('serverless-raised', { 22: 40 })];
    const report = comparisonReport(facts, designs, [1_100]);
    const [times, processor, memory] = report.tables;
    expect(times?.rows.map(({ name, cells }) => [name, cells])).toEqual([
      ['average', cellsOf([9.98, 17, 40])],
      ['P95', cellsOf([55.51, 17, 40])],
      ['P99', cellsOf([170.3, 17, 40])],
      ['P50', cellsOf([undefined, 17, 40])],
      ['P99 of the median run', cellsOf([undefined, 17, 40])],
      ['P99 with 120 ms for API Gateway', cellsOf([undefined, undefined, 160])],
      ['refused or failed at the first attempt', cellsOf([undefined, 0, 0])],
      ['P99 < 200 ms, errors < 1 %', cellsOf(['met', 'met', 'met'])],
      ['with retries, all clients have their flags after', cellsOf([undefined, undefined, undefined])],
      ['with retries, median wait', cellsOf([undefined, undefined, undefined])],
    ]);
    // A function has no processor that could be watched: that of the emulator is no figure of it.
    expect(processor?.rows.map(({ cells }) => cells)).toEqual([
      cellsOf([88, 45, undefined]),
      cellsOf([29, 45, undefined]),
    ]);
    expect(memory?.rows.map(({ cells }) => cells)).toEqual([
      cellsOf([58, 11, undefined]),
      cellsOf([42, 11, undefined]),
    ]);
    expect(comparisonSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  test('names the rates that a design does not sustain, and the errors of clients', () => {
    const designs = [measured('serverless-default', { 10: 40, 20: 41 }, 2)];
    const report = comparisonReport(facts, designs, [500, 1_000]);
    const [times] = report.tables;
    const rules = times?.rows.filter(({ unit }) => unit === '');
    expect(rules?.map(({ rate, cells }) => [rate, cells['serverless-default']])).toEqual([
      [500, { value: null, text: 'not met', source: 'simulated' }],
      [1_000, { value: null, text: 'not met', source: 'simulated' }],
    ]);
    expect(report.notes).toContain('serverless, default quotas, all runs: 1,600 times: the handshake was refused');
  });

  test('shows percentiles of all clients of all runs, and the range of the runs', () => {
    const short = makeCampaignFiles(join(directory, 'pooled'), campaignFacts(), [
      { facts: { rate: 1_000, plan, number: 1 }, worker: withMore(workerWith(10), 8) },
      { facts: { rate: 1_000, plan, number: 2 }, worker: workerWith(90) },
      { facts: { rate: 1_000, plan, number: 3 }, worker: workerWith(50) },
    ]);
    const report = comparisonReport(facts, [{ ...measured('host', {}), full: short }], [1_000]);
    const figures = report.tables[0]?.rows.map(({ name, cells }) => [name, cells['host']?.value, cells['host']?.range]);
    const range = [expect.closeTo(10, 0), expect.closeTo(90, 0)];
    expect(figures?.slice(0, 5)).toEqual([
      ['average', expect.closeTo(50, 0), range],
      ['P95', expect.closeTo(90, 0), range],
      ['P99', expect.closeTo(90, 0), range],
      ['P50', expect.closeTo(10, 0), range],
      ['P99 of the median run', expect.closeTo(50, 0), range],
    ]);
    expect(report.columns[1]?.runs).toEqual({ short: 0, full: 3, made: { short: 0, full: 3 } });
  });

  test('judges a simulated design by all clients together, with the time of API Gateway', () => {
    const verdict = (ms: readonly number[], clients = 20) => {
      const runs = ms.map((each, n) => ({
        facts: { rate: 20, plan, number: n + 1 },
        worker: withMore(workerWith(each), n === 0 ? clients : 1),
      }));
      const folder = join(directory, `judged-${clients}-${ms.join('-')}`);
      const short = makeCampaignFiles(folder, campaignFacts(), runs);
      const report = comparisonReport(facts, [{ ...measured('serverless-raised', {}), short }], [1_000]);
      const rows = report.tables[0]?.rows ?? [];
      const of = (name: string) => rows.find((row) => row.name.startsWith(name))?.cells['serverless-raised'];
      return [of('P99 with 120 ms')?.value, of('P99 < 200')?.text];
    };
    expect(verdict([50])).toEqual([expect.closeTo(170, 0), 'met']);
    expect(verdict([90])).toEqual([expect.closeTo(210, 0), 'not met']);
    // One slow run of many does not decide.
    expect(verdict([50, 190], 200)).toEqual([expect.closeTo(170, 0), 'met']);
    // Also with too few data-syncs for a P99, all attempts show the errors.
    const refused = measured('serverless-raised', { 20: 40 }, 2);
    const all = refused.short as NonNullable<MeasuredDesign['short']>;
    const short = { ...all, runs: all.runs.map((run) => ({ ...run, syncs: [[40_000, 100]] as const })) };
    const few = comparisonReport(facts, [{ ...refused, short }], [1_000]).tables[0]?.rows ?? [];
    const cells = few.filter(({ name }) => /with 120|< 200/.test(name)).map((row) => row.cells['serverless-raised']);
    expect(cells.map((cell) => cell?.text ?? cell?.value)).toEqual([null, 'not met']);
    // 1,900 clients have no valid P99.
    expect(verdict([50], 19)).toEqual([null, undefined]);
  });

  describe('with disturbed runs', () => {
    /** Runs with these P99s in milliseconds. The second one is disturbed. */
    const p99Of = (ms: readonly number[], others: number) => {
      const short = makeCampaignFiles(
        join(directory, `disturbed-${ms.join('-')}`),
        campaignFacts(),
        ms.map((each, n) => ({
          facts: { rate: 1_000, number: n + 1, plan, others: n % 2 === 1 ? others : n / 100 },
          worker: workerWith(each).map((slice) => ({ ...slice, ...(others === 0 && { lagMs: 200 }) })),
        })),
      );
      const { design } = measured('host', {});
      const report = comparisonReport(facts, [{ design, short }], [1_000]);
      return { cell: report.tables[0]?.rows[2]?.cells['host'], report };
    };

    test('takes the clients and the range of the other runs', () => {
      const { cell, report } = p99Of([10, 500, 20, 500, 30], 0.5);
      expect(cell).toEqual({
        value: expect.closeTo(30, 0),
        range: [expect.closeTo(10, 0), expect.closeTo(30, 0)],
        source: 'here',
      });
      expect(report.notes).toContain(
        'one host, two processes on a core: 2 of 5 runs were disturbed: other programs used the machine',
      );
      const { runs = { short: 0, full: 0 } } = report.columns[1] ?? {};
      expect(describeRuns(runs)).toBe('3 of 45 s (5 were made) at each rate');
      expect(runs).toMatchObject({ others: 0.02 });
    });

    test('marks a figure that only disturbed runs have, with the reason', () => {
      const { cell, report } = p99Of([17], 0);
      expect(cell).toEqual({ value: expect.closeTo(17, 0), source: 'here', isDisturbed: true });
      // Also then of all clients, not the median of the runs.
      expect(p99Of([10, 10, 30], 0).cell?.value).toBeCloseTo(30, 0);
      expect(report.notes).toContain(
        'one host, two processes on a core: 1 of 1 runs were disturbed: a worker was 200 ms late',
      );
      expect(renderMarkdown(comparisonDocument(report), 'comparison')).toMatch(
        /\| 1,000 \| P99, ms \| 96.7 \| 17 † \|/,
      );
    });
  });

  test('shows figures of open connections from runs of full length', () => {
    const design = measured('host', { 1000: 5 });
    const full = makeCampaignFiles(join(directory, 'full'), campaignFacts(), [
      { facts: { rate: 1_000, plan }, worker: workerWith(5), usage: { cpu: 0.2, memory: 0.5 * 1024 ** 3 } },
    ]);
    const report = comparisonReport(facts, [{ ...design, full }], [1_000]);
    const processor = report.tables[1]?.rows.map(({ cells }) => cells['host']);
    expect(processor).toEqual([
      { value: 32.5, range: [20, 45], source: 'here' },
      { value: 20, source: 'here' },
    ]);
  });

  test('shows when clients that try again have their flags', () => {
    const served = [{ rate: 1_000, clients: 800, served: 800, refused: 380, allAfterS: 48, medianWaitS: 4 }];
    const design = measured('serverless-default', { 20: 40 }, 2);
    const tables = comparisonReport(facts, [{ ...design, served }], [1_000]).tables;
    const found = tables.flatMap(({ rows }) =>
      rows.map(({ name, cells }) => [name, cells['serverless-default']?.value]),
    );
    expect(found).toContainEqual(['with retries, all clients have their flags after', 48]);
    expect(found).toContainEqual(['with retries, median wait', 4]);
    const cell = { value: 0.000375, range: [0.0651, 9] as [number, number], source: 'here' as const };
    expect([showCell(cell, 's'), showCell(cell, 'ms')]).toEqual(['0.4 ms (65.1 ms – 9 s)', '0.000375 (0.0651 – 9)']);
  });

  test('draws P99 by rate', () => {
    const designs = [measured('host', { 1000: 5, 1100: 6 }), measured('serverless-raised', { 20: 40, 22: 50 })];
    const report = comparisonReport(facts, designs, [1_000, 1_100]);
    const lines = p99Chart(report).series.map(({ of, isMuted, points }) => [of, isMuted, points]);
    expect(lines).toEqual([
      [
        'published',
        true,
        [
          [1_000, 96.7],
          [1_100, 170.3],
        ],
      ],
      [
        'host',
        false,
        [
          [1_000, expect.closeTo(5, 1)],
          [1_100, expect.closeTo(6, 1)],
        ],
      ],
      [
        'serverless-raised',
        false,
        [
          [1_000, expect.closeTo(40, 0)],
          [1_100, expect.closeTo(50, 0)],
        ],
      ],
    ]);
  });

  test('shows the source of each figure, and that none was measured in AWS', () => {
    const report = comparisonReport(facts, [measured('host', { 1000: 5 })], [1_000]);
    const text = renderMarkdown(comparisonDocument(report), 'comparison');
    expect(text).toContain(
      '| new connections a second | figure | FeatBit on a t2.micro (published) | one host, two processes on a core (here) |',
    );
    expect(text).toContain('| 1,000 | P99, ms | 96.7 | 5 |');
    expect(text).toContain('- No figure in these tables was measured in AWS.');
    expect(text).toContain('- here: measured on this machine');
  });
});

/** Cells of the columns published, host and serverless with raised quotas, or without the last. */
function cellsOf(values: readonly (number | string | undefined)[]) {
  const columns = [
    ['published', 'published'],
    ['host', 'here'],
    ['serverless-raised', 'simulated'],
  ] as const;
  return Object.fromEntries(
    values.map((value, n) => {
      const [name, source] = columns[n] as (typeof columns)[number];
      if (value === undefined) return [name, { value: null, source: 'none' }];
      if (typeof value === 'string') return [name, { value: null, text: value, source }];
      // Distributions keep three significant digits.
      return [name, { value: expect.closeTo(value, 1), source }];
    }),
  );
}
