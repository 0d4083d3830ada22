import { expect, test } from '@jest/globals';
import { formatInfo, typed } from './runInfo.ts';

test('quotes a command as typed', () => {
  expect(typed('bench', ['peers', '--out', 'my results'])).toBe("npm run bench -- peers --out 'my results'");
  expect(typed('cost', [])).toBe('npm run cost');
});

test('names command, day, commit, machine and its load', () => {
  const machine = { cpu: 'a CPU', cores: 2, memoryBytes: 1, node: 'v24.1.0' };
  const info = { command: 'npm run cost', commit: '0123', machine, loadBefore: 0.256, at: '2026-11-22T10:00:00.000Z' };
  expect(formatInfo(info)).toBe(
    'npm run cost on 2026-11-22, commit 0123, Node 24.1.0, 2 cores of a CPU, with a load average of 0.26 before it began.',
  );
  expect(formatInfo({ ...info, loadAfter: 3 })).toContain('of 0.26 before it began and 3.00 when it ended.');
  expect(formatInfo({ ...info, loadBefore: 5 })).toContain('Other programs used the machine');
});
