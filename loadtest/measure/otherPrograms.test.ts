import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import { type Reading, readProcessors, watchOthers } from './otherPrograms.ts';

const SPIN = 'while (process.cpuUsage().user < 400_000);';

describe('the share that other programs use', () => {
  test.each<[string, Partial<Reading>, number]>([
    ['nothing where all that was used is ours', { busy: 150, ours: 50 }, 0],
    ['what is used of all processors and is not ours', { busy: 150, ours: 30 }, 0.2 / cpus().length],
    ['nothing where ours was counted a moment later', { busy: 140, ours: 55 }, 0],
    ['all, at most', { busy: 1e6, ours: 0 }, 1],
  ])('is %s', (_, after, share) => {
    const readings: Reading[] = [
      { busy: 100, ours: 0, atMs: 0 },
      { busy: 100, ours: 0, ...after, atMs: 1_000 },
    ];
    expect(watchOthers([], () => readings.shift())()).toBeCloseTo(share, 10);
  });

  test('is not known without /proc', () => {
    expect(watchOthers([], () => undefined)()).toBeUndefined();
  });
});

test('counts a process of this one as its own, also after it ended, and no orphan', async () => {
  const read = () => readProcessors([process.pid]) as Reading;
  const before = read();
  await once(spawn(process.execPath, ['-e', SPIN]), 'exit');
  const between = read();
  expect(between.ours - before.ours).toBeGreaterThanOrEqual(40);
  // Its parent ends at once and leaves it to another.
  const orphan = `require('child_process').spawn(process.execPath, ['-e', '${SPIN}'], { detached: true, stdio: 'ignore' }).unref()`;
  await once(spawn(process.execPath, ['-e', orphan]), 'exit');
  let now = between;
  const others = () => now.busy - between.busy - (now.ours - between.ours);
  const deadline = Date.now() + 30_000;
  while (others() < 30 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    now = read();
  }
  expect(others()).toBeGreaterThanOrEqual(30);
});
