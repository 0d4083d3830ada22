import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aWorker, someFacts } from '../testing/results.ts';
import { LiveRun } from './liveRun.ts';
import { RunFiles } from './runFiles.ts';
import { readRun } from './runResult.ts';

const slices = aWorker().map((slice, n) => ({ ...slice, counters: { ...slice.counters, errors: n } }));
const written = slices.map((slice) => `${JSON.stringify(slice)}\n`).join('');

test('has the last second and all errors, however the lines of its files are written', () => {
  const cuts = fc.array(fc.nat(written.length), { maxLength: 8 });
  fc.assert(
    fc.property(cuts, cuts, (...all) => {
      const directory = mkdtempSync(join(tmpdir(), 'flagwire-live-'));
      try {
        const files = RunFiles.create(directory, someFacts());
        const live = new LiveRun(files);
        expect(live.look()).toEqual({ startedAt: files.facts.startedAt, errors: 0 });
        for (const [worker, each] of all.entries()) {
          const ends = [...each, written.length].sort((a, b) => a - b);
          for (const [n, end] of ends.entries()) {
            appendFileSync(join(files.slices, `${worker}.ndjson`), written.slice(ends[n - 1] ?? 0, end));
            files.addUsage({ at: 100 + n, cpu: 0.5, memory: 1_000 });
            live.look();
          }
        }
        const { seconds, counts } = readRun(files);
        expect(live.look()).toEqual({
          startedAt: files.facts.startedAt,
          last: seconds.at(-2),
          errors: counts['errors'],
        });
      } finally {
        rmSync(directory, { recursive: true });
      }
    }),
    { numRuns: 50 },
  );
});
