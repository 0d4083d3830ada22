import { markdownTable } from '../../shared/command/markdownTable.ts';
import { type Beside, besideReport } from '../bench/beside/report.ts';
import { comparePhase, leftOut, phasesOf } from '../bench/beside/rounds.ts';
import { formatStamp } from '../measure/stamp.ts';
import { figureOfRuns } from '../report/document.ts';
import { SLOWER_CORE, SOURCE_BUILD } from './featbit.ts';
import { featbitTable } from './featbitTable.ts';

/** `docs/results/featbit.md`: FeatBit's own server beside ours. */
export function featbitPage(beside: Beside): string {
  const { cold, saturatedSyncP99, server } = SOURCE_BUILD;
  const pair = (name: string, { featbit, ours }: { featbit: readonly number[]; ours: readonly number[] }) => [
    name,
    figureOfRuns(featbit),
    figureOfRuns(ours),
  ];
  const more = [
    pair('connect to reply P99 from cold, ms', cold.connectToReplyP99),
    pair('data-sync P99 at 256 in flight, ms', saturatedSyncP99),
    pair('server-type syncs of 3,000 flags a second, ten at a time', server.perSecond),
    pair('one such sync, median, ms', server.oneMs),
    ...SLOWER_CORE.map(({ share, featbit, ours }) => [`1,000 a second on ${share} % of a core`, featbit, ours]),
  ];
  const phases = phasesOf(beside.visits).map((phase) => {
    const rows = comparePhase(beside.visits, phase).map(({ name, other, ours, ratio }) => [name, other, ours, ratio]);
    return `### ${phase}\n\n${markdownTable(['', beside.names.other, beside.names.ours, 'Bun to Node'], rows)}`;
  });
  const notes = besideReport(beside).sections.at(-1)?.notes ?? [];
  const out = leftOut(beside.visits);
  return `<!-- Written by \`npm run results\`. -->

# FeatBit's server beside ours

${featbitTable(beside)}

**Four machines, no race.** Only the two columns in the middle are of one machine, in one run. FeatBit published what k6 measured of a t2.micro over a network
on ten runs; "here" is a core of an AMD EPYC over the loopback on 2026-11-21, in turn with our host; "today" is our host alone, by the command below.
FeatBit's server used as much of that core as of a t2.micro (93 % and 88 %), so the two may be near each other; that is no proof.

**Where ours was behind:** the median of a data-sync. Ours asks a real table for its version first, and all who ask within 3 ms share one read; FeatBit's store was an array in
the memory of the same process.

## How FeatBit's server was built and measured

From its repository at \`366b4a1\` of 2026-06-30, \`modules/evaluation-server/src\`: the projects Domain and Streaming as they are, with the
store and the data that the repository brings for such runs in memory, for .NET 10.0.401, Release, on Kestrel with its garbage collector's defaults. It lacked, because
their packages could not be had, MongoDB, Postgres, Redis, Kafka, the log and Swagger; looking up clients' names was off. All that speaks for it: its
store was an array, while our host (commit \`25d2182\`, on Bun) read a DynamoDB table over HTTP, a cache of its answers in between.

Both were held to core 0, generator and table to core 1, of two of an AMD EPYC, over the loopback; both had FeatBit's five benchmark flags and two segments, and each connection asked
once. From cold, 1,100 connections a second came for 16 s, and all 17,600 stayed. At saturation 12 s passed before it counted. Each cell is the median of
its rounds, with the least and the most. "At least": the generator's core was full, or the server's was not.

${markdownTable(['2026-11-21', 'FeatBit’s server', 'our host'], more)}

On a share of a core: new connections a second that were reached, and P99 of their data-syncs. On Node our host then had a transport of its own, which is gone; its figures are left out.

FeatBit's own load test of 2026-07 was of a cluster: three pods of a core each, 10,000 server-type connections. One environment of 100 connections changed: from the
request to the SDK 15.8 to 18.3 ms on average, P99 22 to 33 ms. All 10,000 in the environment that changed: 50 to 74 ms on average, P99 of the slowest group 193 to 245 ms. Our host has
150 ms in the median to 10,000 on one core; most of it is the time between two looks at the table. **It is slower there.**

## Our host today

${formatStamp(beside.stamp)}

Without an address it measures our host on Node beside the one on Bun, each started afresh
in each round.

${phases.join('\n\n')}

**Hours differ.** On 2026-11-23, at commit \`5382932\`, the same command on the same kind of machine, with hardly anything beside it, found the host on Bun at
34.7 % of a core from cold, P99 of its data-syncs at 10.1 ms and at least 5,460 new connections a second with 64 in flight, and the
host on Node at 44.7 %, 9.85 ms and 2,794. Only what was measured in one run can be compared.

${[...out.map((why) => `- Left out: ${why}.`), ...notes.map((note) => `- ${note}`)].join('\n')}

Every round is in [featbit/beside.json](featbit/beside.json).

## Measure it yourself

With FeatBit's container on this machine, held to one core:

\`\`\`sh
docker update --cpuset-cpus 0 <container>
npm run bench:beside -- ws://127.0.0.1:5100 --client-secret <secret> --server-secret <secret> \\
  --pid $(docker inspect -f '{{.State.Pid}}' <container>)
\`\`\`
`;
}
