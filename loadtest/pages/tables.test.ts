import { expect, test } from '@jest/globals';
import type { Entry } from '../bench/peers/peer.ts';
import { readComparison } from './comparisonTables.ts';
import { renderTable, shareOfT2 } from './featbitTables.ts';
import { renderPeers } from './peersTables.ts';

test('divides Flagwire’s median by that of each server of FeatBit', () => {
  const servers = { flagwireBun: { rate: [1, 30, 99] }, featbitMemory: { rate: 120 } };
  const [head, , row] = renderTable({ warm: servers }, [['rate', 'warm', 'rate']]).split('\n');
  expect([head, row]).toEqual(['| figure | Flagwire | FeatBit, memory |', '| rate | 30 | 120 (0.25 ×) |']);
});

test('shows the best server in bold, except the reference', () => {
  const entry = (role: Entry['role'], median: number, toBareBun: number) => {
    const figures = { oneOf5PerSecond: { runs: [median], median, toBareBun } };
    return { role, name: role, figures };
  };
  const entries = [entry('ours', 900, 0.3), entry('peer', 1_000, 0.2), entry('reference', 5_000, 1)];
  const [, , row] = renderPeers(entries, ['oneOf5PerSecond', 'changeBytes']).split('\n');
  expect(row).toBe('| one flag of 5, evaluations a second | **900 (0.3 ×)** | 1,000 (0.2 ×) | 5,000 (1 ×) |');
});

test('shows FeatBit’s server here between the published figures and the designs', () => {
  const { columns, tables } = readComparison();
  expect(columns.map(({ name }) => name).slice(0, 4)).toEqual(['published', 'featbitMemory', 'flagwireBun', 'host']);
  const rows = tables.flatMap((table) => table.rows);
  const cell = (row: string) => rows.find(({ name, rate }) => name === row && rate === 1_100)?.cells['featbitMemory'];
  expect(cell('P99')).toEqual({ value: 80.33, range: [58.63, 123.15], source: 'here' });
  expect(cell('P95')).toEqual({ value: null, source: 'none' });
});

test('shows what a host needs of a t2.micro as a range', () => {
  expect(shareOfT2('1100')).toBe('37.8 to 185');
});
