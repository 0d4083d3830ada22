import { describe, expect, test } from '@jest/globals';
import type { Beside } from '../bench/beside/report.ts';
import { RATE } from '../bench/beside/rounds.ts';
import { featbitPage } from './featbitPage.ts';

const visit = (phase: string, figures: Record<string, number>, fields: object = {}) =>
  (['other', 'ours'] as const).map((side) => ({ round: 1, side, phase, figures, invalid: [], ...fields }));

const beside: Beside = {
  stamp: {
    command: 'npm run bench:beside',
    commit: '0123456789ab',
    machine: { cpu: 'a CPU', cores: 2, memoryBytes: 1, node: 'v24.1.0' },
    loadBefore: 0.5,
    at: '2026-11-22T10:00:00Z',
  },
  names: { other: 'host on Node', ours: 'host on Bun' },
  parameters: {},
  notes: [],
  visits: [
    ...visit('from cold', { 'sync P50, ms': 2.1, 'sync P99, ms': 8, 'processor, % of a core': 44 }),
    ...visit('held', { held: 1_024, 'memory before, MB': 70, 'memory, MB': 74, 'processor, % of a core': 4 }),
    ...visit('saturation, 64 in flight', { [RATE]: 6_000 }),
    ...visit('saturation, 256 in flight', { [RATE]: 7_000 }, { isAtLeast: true }),
    ...visit('saturation, 256 in flight', { [RATE]: 1 }, { invalid: ['the generator was late'] }),
  ],
};

const rowOf = (page: string, start: string) => page.split('\n').find((line) => line.startsWith(`| ${start}`));

describe('the page of FeatBit’s server', () => {
  const page = featbitPage(beside);

  test('says where ours was slower', () => {
    expect(rowOf(page, 'data-sync P50')).toBe(
      '| data-sync P50, ms | average 9.98 | 0.7 (0.5 – 2.2) | 2.5 (2.5 – 2.5) **slower** | 2.1 **slower** |',
    );
    expect(rowOf(page, 'data-sync P99')).toBe('| data-sync P99, ms | 170 | 105 (47 – 191) | 9.9 (9.5 – 14) | 8 |');
  });

  test('counts memory by connection', () => {
    expect(rowOf(page, 'memory of a connection')).toBe('| memory of a connection, KB | – | 16.8 | 4.25 | 4 |');
  });

  test('marks what may be more, and leaves out what the generator held up', () => {
    expect(rowOf(page, 'new connections a second, 256')).toContain(
      '| at least 7,268 (7,214 – 7,322) | at least 7,000 |',
    );
    expect(page).toContain('- Left out: round 1, saturation, 256 in flight, our host: the generator was late.');
  });

  test('is stamped', () => {
    expect(page).toContain(
      '`npm run bench:beside` on 2026-11-22, commit `0123456789ab`, Node 24.1.0, 2 cores of a CPU',
    );
  });
});
