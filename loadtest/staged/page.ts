import { count } from '../../cost/model/figures.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import { MILLION, type Sections } from '../simulate/command/matrix.ts';
import { HEAD, rowOf } from '../simulate/result/rows.ts';
import { figure, percent } from './figures.ts';
import { BASE_CPU, gatesOfLoad, type Measured, STAGE_CPU } from './measured.ts';
import { baseOf, lastOf } from './stages.ts';
import type { StagedState } from './state.ts';
import { takesText } from './takesText.ts';

/**
 * docs/results/million.md: what was measured here, and what a million clients take by it.
 *
 * @param sections of docs/results/simulation.json
 */
export function millionPage(state: StagedState, sections: Sections): string {
  const { parameters, machine, loadBefore, notes, commit, startedAt, probes, stages } = state;
  const { share, every, hold, ramp } = parameters;
  const base = baseOf(state);
  const last = lastOf(state);
  const said = Object.entries({ tasks: parameters.tasks, share, goal: parameters.goal, every, hold, ramp })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `--${key} ${value}`);
  return `<!-- Written by \`npm run loadtest -- staged --write\`. -->

# Towards a million

\`npm run loadtest -- staged ${said.join(' ')}\` on ${startedAt.slice(0, 10)}, commit ${commit}, ${machine.cores} cores of ${machine.cpu} with a load average
of ${figure(loadBefore)} by other work. It goes as StormForge did: the base capacity of one task first, then 10, 50 and 100 % of the goal, each stage only if the
one before kept every gate. Each client connects with its token, has its data-sync, and then sends a heartbeat every ${every} s; after ${ramp} s of opening, heartbeats were measured for ${hold} s.

**Nothing here ran on AWS.** A task is a host process held to ${percent(share)} of a core of this machine; all tasks share one core, generators and table
the other; clients are dealt out in turn, and no balancer stands between. What is said of a million is computed from that.
${notes.map((note) => `\n${note}\n`).join('')}
## Measured

The gates: errors at most 1 %, P99 of data-syncs and of heartbeats at most 200 ms, generators that are not the limit, and at most ${percent(BASE_CPU)} of its
processor for the base capacity, ${percent(STAGE_CPU)} for the busiest task of a stage.

${measuredTable(probes, stages)}

${base ? `One task's base capacity is ${count(base.clients)} clients on ${percent(share)} of a core.` : 'The base capacity of one task is not known yet.'} ${last ? '**Every stage kept all gates.**' : '**The goal was not reached**: what follows waits for it.'}
${base && last ? `\n${takesText(parameters, base, last)}\n${serverlessText(sections, every)}` : ''}`;
}

function measuredTable(probes: readonly Measured[], stages: readonly Measured[]): string {
  const row = (name: string, mostCpu: number) => (each: Measured) => [
    name,
    count(each.clients),
    each.tasks,
    count(each.openedPerSecond),
    count(each.heartbeatsPerSecond),
    figure(each.syncP99),
    figure(each.replyP50),
    figure(each.replyP99),
    `${count(each.errorPercent)} %`,
    percent(each.cpu),
    percent(each.generatorCores),
    brokenGates(each, mostCpu).join(', ') || 'all',
  ];
  const head = [
    '',
    'clients',
    'tasks',
    'opened a second',
    'heartbeats a second',
    'sync P99, ms',
    'reply P50',
    'P99',
    'errors',
  ];
  return markdownTable(
    [...head, 'CPU of the busiest task', 'of generators, of a core', 'gates kept'],
    [
      ...probes.toSorted((a, b) => a.clients - b.clients).map(row('base', BASE_CPU)),
      ...stages.map((stage, n) => row(`stage ${n + 1}`, STAGE_CPU)(stage)),
    ],
  );
}

/** What a million clients take of the serverless path. @param sections of docs/results/simulation.json */
export function millionTable(sections: Sections): string {
  const rows = sections.find(({ results }) => results.some(({ account }) => account === 'million'))?.results ?? [];
  return markdownTable(HEAD, rows.map(rowOf));
}

function serverlessText(sections: Sections, every: number): string {
  const perSecond = 1_000_000 / every;
  return `## The serverless path beside it

Simulated, not measured ([scale.md](../scale.md), [simulation.md](simulation.md)): a million browsers at FeatBit's pings, with quotas raised to ${count(MILLION.requests)} requests and ${count(MILLION.newConnections)} new connections a second and
${count(MILLION.concurrency)} concurrent executions.

${millionTable(sections)}

Heartbeats every ${every} s are ${count(perSecond)} requests a second: ${count(perSecond / MILLION.requests)} times what that account is given, and ${count(perSecond / 10_000)} times the default quota of 10,000. That is what servers are for.

## On Fargate

The command runs hosts on one machine only. What would be measured there, stage by stage and by hand: deploy with so many tasks
(\`-c flagwire:fargate=true -c flagwire:taskCount=…\`), and send the same heartbeats from Fargate, with the same gates:

\`\`\`sh
npm run loadtest -- heartbeat --target <StreamingUri> --client-key <secret> --message ping --rates … --fargate … --budget … \\
  --ensure sync.p99:200 --ensure 'intended to reply.p99:200' --ensure errors.percent:1
\`\`\`

Its generators are artillery's, which take more of a processor than ours. It has not been done: [unverified.md](../unverified.md).
`;
}

/** The gates that a load did not keep, by their names. */
function brokenGates(measured: Measured, mostCpu: number): string[] {
  const failed = gatesOfLoad(measured, mostCpu).filter(({ isKept }) => !isKept);
  return [...(measured.bottlenecks.length > 0 ? ['generator'] : []), ...failed.map(({ name }) => name)].map(
    (name) => `not ${name}`,
  );
}
