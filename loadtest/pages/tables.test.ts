import { expect, test } from '@jest/globals';
import type { Entry } from '../bench/peers/peer.ts';
import { renderTable } from './featbitTables.ts';
import { renderPeers } from './peersTables.ts';

test('divides Flagwire’s median by that of each server of FeatBit', () => {
  const servers = { flagwireBun: { rate: [1, 30, 99] }, featbitMemory: { rate: 120 } };
  const [head, , row] = renderTable({ warm: servers }, [['rate', 'warm', 'rate']]).split('\n');
  expect([head, row]).toEqual(['| figure | Flagwire | FeatBit, memory |', '| rate | 30 | 120 (0.25 ×) |']);
});

test('shows the best server in bold, except the reference', () => {
  const entry = (role: Entry['role'], median: number, toBareBun: number) => ({
    ...{ role, name: role },
    figures: { oneOf5PerSecond: { runs: [median], median, toBareBun } },
  });
  const entries = [entry('ours', 900, 0.3), entry('peer', 1_000, 0.2), entry('reference', 5_000, 1)];
  const [, , row] = renderPeers(entries, ['oneOf5PerSecond', 'changeBytes']).split('\n');
  expect(row).toBe('| one flag of 5, evaluations a second | **900 (0.3×)** | 1,000 (0.2×) | 5,000 (1×) |');
});
