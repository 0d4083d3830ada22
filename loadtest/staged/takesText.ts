import { CORE_FACTOR } from '../../cost/assumptions/coreFactor.ts';
import { readMeasured } from '../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../cost/assumptions/ranges.ts';
import { rangesOf } from '../../cost/assumptions/rangesOf.ts';
import { MILLION_HOURS } from '../../cost/docs/millionHours.ts';
import { costOf } from '../../cost/model/compare.ts';
import { count, money } from '../../cost/model/figures.ts';
import { parseWorkload } from '../../cost/model/workload.ts';
import { QUOTAS, requestFor } from '../../infra/preflight/quotas.ts';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import { figure, percent } from './figures.ts';
import type { Measured } from './measured.ts';
import { GENERATOR_CPU, TASK, TASKS_STARTED_A_MINUTE, type Takes, takesOf, ZONES } from './million.ts';
import type { Parameters } from './state.ts';

const REGION = 'us-east-1';

/** Where AWS tells what it does not raise. */
const ELB_GUIDE = 'https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html';
const ECS_QUOTAS = 'https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-quotas.html';

/** What a million clients take on Fargate, as sections of the page: machines, cost, and limits to raise. */
export function takesText(parameters: Parameters, base: Measured, full: Measured): string {
  const assumed = rangesOf(rangesFrom(readMeasured())).expected;
  const [{ workload: hour }] = MILLION_HOURS;
  const workload = parseWorkload({ ...hour, sdks: [{ ...hour.sdks[0], pingSeconds: parameters.every }] });
  const [low, expected, high] = [CORE_FACTOR.low, CORE_FACTOR.expected, CORE_FACTOR.high].map((factor) =>
    takesOf(workload, { base, full, parameters }, assumed, factor),
  ) as [Takes, Takes, Takes];
  const row = (what: string, of: (takes: Takes) => number, why: string, show: (value: number) => string = count) => {
    const [from, to] = [of(low), of(high)].toSorted((a, b) => a - b).map(show);
    return [what, show(of(expected)), from === to ? '' : `${from} – ${to}`, why];
  };
  const cost = (which: 'fargate' | 'serverless') => money(costOf(which, workload, assumed).bill.total);
  const readsOf = ({ tasks }: Takes) => tasks * (1_000 / workload.pollIntervalMs);
  const vcpus = expected.tasks * TASK.vcpu * 2 + expected.generators;
  const { tasks, bill } = expected;
  return `## What a million takes

In proportion: a whole processor is supposed to carry ${figure(1 / parameters.share)} times the clients of ${percent(parameters.share)} of one, and a processor of Fargate to take ${CORE_FACTOR.low} to ${CORE_FACTOR.high} times, ${CORE_FACTOR.expected} as
expected, as long as this core (judgement, as in the cost model). What each task does for itself is thereby counted too often, so a larger one
carries rather more.

${markdownTable(
  ['what', 'expected', 'between', 'by'],
  [
    row(
      `tasks of ${TASK.vcpu} vCPU and ${TASK.gb} GB`,
      (takes) => takes.tasks,
      'base capacity, and 50,000 connections a task at most',
    ),
    row('clients of each', (takes) => takes.clientsOfATask, 'dealt out evenly'),
    row(
      'capacity units of the balancer',
      (takes) => takes.units,
      'each 1 GB an hour, or with TLS 3,000 active connections or 50 new ones a second; the most of them',
    ),
    row(
      'processors of generators',
      (takes) => takes.generators,
      `${percent(GENERATOR_CPU)} of each used by generators like ours; 28,000 ports towards each of ${ZONES} addresses`,
    ),
    row(
      'minutes to start the tasks',
      (takes) => takes.startMinutes,
      `${TASKS_STARTED_A_MINUTE} a minute, besides the time that one takes`,
      figure,
    ),
    row(
      'minutes to open all connections',
      (takes) => takes.openMinutes,
      'as fast as the last stage, or 55,000 a minute and task; nothing else in the way',
      figure,
    ),
    row(
      'Gbit/s to clients',
      (takes) => takes.gigabitsPerSecond,
      'answers to heartbeats with their frames; as much comes in',
      figure,
    ),
    row('reads of the table a second', readsOf, `each task looks for changes every ${workload.pollIntervalMs} ms`),
  ],
)}

## What an hour of it costs

${markdownTable(
  ['what', 'quantity', 'US dollars'],
  [
    ...bill.items.map(({ what, quantity, usd }) => [what, count(quantity), money(usd)]),
    ['**in all**', '', `**${money(bill.total)}**`],
  ],
)}

List prices of ${REGION}, for an hour: the least that a balancer is billed for, while tasks are billed by the second. The cost model, which plans hosts
at 60 % of a core and counts no generators, says ${cost('fargate')} for the same hour on Fargate, and ${cost('serverless')} on API Gateway ([cost.md](../cost.md)).

## Limits to raise

${markdownTable(
  ['limit', 'at first', 'takes', 'what to do'],
  [
    [
      QUOTAS.fargateVcpus.what,
      'few, by account',
      count(vcpus),
      `\`${requestFor(QUOTAS.fargateVcpus, Math.ceil(vcpus), REGION)}\`: tasks twice, as a deployment starts new ones beside the old, and generators`,
    ],
    [
      'tasks of the stack',
      '2 to 10',
      count(tasks),
      `\`-c flagwire:taskCount=${tasks} -c flagwire:taskMaximum=${tasks} -c flagwire:taskConnections=50000\``,
    ],
    [
      'connections of a balancer to one task',
      '55,000',
      count(expected.clientsOfATask),
      `nothing: it cannot be raised, more tasks are the way out ([ELB’s guide](${ELB_GUIDE}))`,
    ],
    [
      'tasks that a service starts in a minute',
      count(TASKS_STARTED_A_MINUTE),
      count(tasks),
      `nothing ([ECS’s quotas](${ECS_QUOTAS}))`,
    ],
    ['open files of a task', '200,000', count(expected.clientsOfATask), 'nothing: the stack sets it'],
    [
      'reads of one partition a second',
      '3,000',
      count(readsOf(expected)),
      'nothing: the version that tasks look at has four copies',
    ],
  ],
)}

\`npm run deploy -- --preflight\` reads the first of an account, and says whether the stack fits.
`;
}
