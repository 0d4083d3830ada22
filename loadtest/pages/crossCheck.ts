import { markdownTable } from '../../shared/command/markdownTable.ts';

/** Milliseconds and errors of three runs each, by hand on 2026-11-21 at commit 1c0c343, ramp of 10 s. */
const RUNS = [
  [300, 'k6', '6.6 · 3.0 · 3.1', '15 · 5 · 6', '26 · 11 · 11', '0 · 0 · 0'],
  [300, 'artillery, our processor', '2.6 · 2.6 · 2.4', '5.7 · 5.7 · 5.3', '13.4 · 14.0 · 9.3', '0 · 0 · 0'],
  [500, 'k6', '4.7 · 4.6 · 3.9', '10 · 10 · 8', '28 · 25 · 17', '0 · 0 · 0'],
  [500, 'artillery, our processor', '3.4 · 3.0 · 2.8', '7.3 · 6.4 · 6.1', '11.8 · 12.9 · 12.7', '0 · 0 · 0'],
] as const;

/** Whether another generator measures the same: a section of `docs/results/load.md`. No command makes it again, since k6 is not among the project's tools. */
export const crossCheck = `## A cross-check with k6

On 2026-11-21, commit \`1c0c343\`, Node 24.21.0, 2 cores of Intel(R) Xeon(R) Processor, by hand: FeatBit's own k6 script with its later \`utils.js\`, unchanged but for its
address and keys (and for two imports from the web, of a summary and an HTML report, that a machine without it cannot load), by k6 1.8.1 on the generator's core
with its garbage collector off, which distorts the tail otherwise. One generator after the other at each rate, three runs each, ramp of 10 s. k6 counts whole milliseconds.

${markdownTable(
  ['new/s', 'by', 'average, ms', 'P95', 'P99', 'errors'],
  RUNS.map((row) => row.map(String)),
)}

At 300 a second the two agree to the millisecond that k6 counts in; its first run met other work on the machine. At 500 k6 is itself busier on its
one core and tells a millisecond or two more, the more the further out in the tail. To do it again: \`go install go.k6.io/k6@v1.8.1\`, FeatBit's
\`benchmark/k6-scripts\`, and \`GOGC=off THROUGHPUT=500 k6 run data-sync.js\`.`;
