import { QUOTAS, requestFor } from '../../../infra/preflight/quotas.ts';
import { markdownTable } from '../../../shared/command/markdownTable.ts';
import { SDKS } from '../../scenarios/sdks.ts';
import { COMPARED_HEAD, type Compared, comparedRow, TOLERANCE } from '../against/compare.ts';
import { CROWD, SMALL } from '../against/run.ts';
import { MILLION, type Sections } from '../command/matrix.ts';
import { timeRanges } from '../scenarios/times.ts';
import { count, HEAD, rowOf, seconds } from './rows.ts';

const REGION = 'us-east-1';

/** Figures of the emulator's beside those of the simulation, and what ran. */
export interface Comparison {
  readonly commit: string;
  readonly machine: string;
  readonly compared: readonly Compared[];
  /** Why some of them say nothing. */
  readonly invalid: readonly string[];
}

/** docs/results/simulation.md: every figure, what it was simulated with, and what it was held against. */
export function resultsPage(sections: Sections, commit: string, comparison?: Comparison): string {
  const times = Object.entries(timeRanges()).map(([name, { expected, unit, meaning, source }]) => [
    name,
    `${expected.toFixed(1)} ${unit}`,
    meaning,
    source,
  ]);
  return `# Simulation

\`npm run simulate -- --write\` at commit ${commit} wrote this page, and all figures to [simulation.json](simulation.json). They are computed, not
measured: [scale.md](../scale.md) says what they mean. P50, P99 and all: when so many of the connections had been answered, or had the
change, since the beginning. US dollars: list prices of us-east-1 for what was asked for meanwhile, pings included.
${sections.map(({ title, results }) => `\n## ${title}\n\n${markdownTable(HEAD, results.map(rowOf))}`).join('\n')}

## What it was simulated with

${markdownTable(['time', 'value', 'what', 'source'], times)}
${comparison ? `\n${comparisonSection(comparison)}` : ''}`;
}

function comparisonSection({ commit, machine, compared, invalid }: Comparison): string {
  const sizes = [...new Set(compared.map(({ connections }) => connections))].join(',');
  const notes = invalid.map((why) => `- INVALID: ${why}`);
  return `## Held against the emulator

\`npm run simulate -- --against-emulator ${sizes} --write\` at commit ${commit}, ${machine}. The emulator kept ${SMALL.newConnections.perSecond} new connections and ${SMALL.requests.perSecond}
requests a second, so that these bind and not the machine; ${CROWD.perSecond} connections came a second, each pinging every ${CROWD.pingSeconds} s. The simulation was given the same quotas,
and the times that single connections and one change took. It may be off by ${TOLERANCE * 100} %; what is further off is marked.

${markdownTable(COMPARED_HEAD, compared.map(comparedRow))}
${notes.length > 0 ? `\n${notes.join('\n')}\n` : ''}`;
}

/** docs/scale.md: what a million connections takes. */
export function scalePage(sections: Sections, commit: string): string {
  const all = sections.flatMap(({ results }) => results);
  const of = (connections: number, scenario: string, account: string) =>
    all.find(
      (each) => each.account === account && each.scenario === scenario && each.outcome.connections === connections,
    );
  const reach = (connections: number, scenario: string, account: string) => {
    const outcome = of(connections, scenario, account)?.outcome;
    if (!outcome) return '–';
    const { reached, unreached } = outcome;
    if (Number.isFinite(reached.all)) return seconds(reached.all);
    return `${seconds(reached.p99)}, but for ${count(unreached.unanswered + unreached.waiting)}`;
  };
  const collapse = of(1_000_000, 'push', 'default')?.outcome;
  const sizes = [1_000, 10_000, 100_000, 1_000_000];
  const { requests, newConnections, concurrency, deliveries, tableWrites } = MILLION;
  return `<!-- Written by \`npm run simulate -- --write\`. -->

# How far it goes

What bounds the serverless service is not its code but the quotas of an AWS account, and FeatBit's SDKs fill most of the largest one by
themselves: every ping is a request. All figures here are of a simulation (\`npm run simulate -- --write\`, commit ${commit}) with AWS's
documented quotas and our measured service times; [results/simulation.md](results/simulation.md) has them all, with the source of each input.
None was measured on AWS.

## What pings take

${markdownTable(
  ['SDKs', 'ping', 'requests a second of 100,000 connections', 'connections that fill the default quota of 10,000'],
  [18, 15, 10].map((ping) => {
    const names = Object.entries(SDKS).filter(([, { pingSeconds }]) => pingSeconds === ping);
    return [names.map(([name]) => name).join(', '), `${ping} s`, count(100_000 / ping), count(10_000 * ping)];
  }),
)}

Deliveries of changes are paced to two fifths of the quota, so pings, data-syncs and HTTP have the other three: that is ${count(6_000 * 18)} connections at
18 s and ${count(6_000 * 10)} at 10 s before the first is refused. A refused ping is not answered, and browsers that miss two in a row connect anew.

## How long it takes until all are reached

Everybody connects within a minute (storm); those connections end two hours later and come back (wave); one flag is changed (push); all
in one environment, with browsers' SDK.

| connections | storm, default quotas | wave | push | storm, ten times the quotas | wave | push |
|---:|---:|---:|---:|---:|---:|---:|
${sizes
  .map((size) =>
    [
      '',
      count(size),
      ...['default', 'raised'].flatMap((account) =>
        ['storm', 'wave', 'push'].map((scenario) => reach(size, scenario, account)),
      ),
      '',
    ]
      .join(' | ')
      .trim(),
  )
  .join('\n')}

*60 s, but for 646*: 99 % were reached in 60 s, and 646 were not. Their data-sync was refused, and nothing but their next connection, up to two hours later, asks
again; or the two hours were over. In the first second of a storm it is Lambda that refuses them: a function begins with 1,000 instances, and many
more come where the quota of new connections is large; \`flagwire:syncProvisionedConcurrency\` has instances ready. At default quotas
a million connections' pings alone are ${count(1_000_000 / 18)} requests a second, ${collapse ? `${((collapse.pings.refused / collapse.pings.asked) * 100).toFixed(0)} % of which are refused` : 'most of which are refused'}: that is no service, and its storm was not simulated.

## A million, quota by quota

| quota | default | ask for | why |
|---|---:|---:|---|
| ${QUOTAS.throttleRate.what} (\`${QUOTAS.throttleRate.code}\`) | 10,000 | ${count(requests)} | pings at 18 s take ${count(1_000_000 / 18)}, at 10 s ${count(100_000)}; deliveries two fifths |
| ${QUOTAS.newConnections.what} (\`${QUOTAS.newConnections.code}\`) | 500 | ${count(newConnections)} | a million in ${count(1_000_000 / newConnections / 60)} minutes in place of ${count(1_000_000 / 500 / 60)} |
| ${QUOTAS.concurrency.what} (\`${QUOTAS.concurrency.code}\`) | 1,000 | ${count(concurrency)} | connect and sync for ${count(newConnections)} a second, new instances included, and ${deliveries} deliveries |
| write units of the connections table | 4,000 when new | ${count(tableWrites)} | each data-sync writes a row: \`flagwire:connectionsWarmWrites=${tableWrites}\`, no request to AWS |

\`\`\`sh
${requestFor(QUOTAS.throttleRate, requests, REGION)}
${requestFor(QUOTAS.newConnections, newConnections, REGION)}
${requestFor(QUOTAS.concurrency, concurrency, REGION)}
npm run deploy -- -c flagwire:throttlingRate=${requests} -c flagwire:throttlingBurst=${requests / 2} -c flagwire:deliverConcurrency=${deliveries} -c flagwire:connectionsWarmWrites=${tableWrites}
\`\`\`

AWS chooses the burst that belongs to a rate; half of it is supposed here. With these:

${markdownTable(HEAD, all.filter(({ account }) => account === 'million').map(rowOf))}

What no request changes: a function grows by 1,000 instances in ten seconds, and a partition of DynamoDB takes 1,000 writes and 3,000 reads a second, so one
environment's sixteen shards take 16,000 data-syncs a second. Spread over more environments, a change reaches only its own
environment's connections, and all else is the same.

## What clients see

- A refused handshake (429) is tried again after the SDK's own back-off: browsers and Node after 1, 3, 5, 7, 11, 13, 30, then each 60 s; .NET after 0, 1, 2, 3, 5, 8,
  13, 21, 34, then each 55 s; Go, Java and Python double from 1 to 60 s, half of it by chance. Java notices that a connection ended only after some 17 s.
- A change is sent again to nobody whom a delivery has noted. Only a call that is killed repeats, at most the 500 messages since its last note.

## What is not in it

The network and TLS between client and AWS, the healing of unanswered data-syncs, browsers that connect anew because pongs are missing, what a table
saves up for bursts, other users of the account. How far the simulation is to be trusted: \`npm run simulate -- --against-emulator 1000,5000\` runs the emulator with small quotas,
real sockets and the real functions, and holds the simulation against it, within 15 %.
`;
}
