import type { Line } from '../prices/bill.ts';
import { DASHBOARDS, HOST_DISK_GB, HOST_METRICS, T2_MICRO_GB } from '../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../prices/tiers.ts';
import type { Assumptions } from './assumptions.ts';
import { TARGET_CONNECTIONS } from './balancer.ts';
import { hoursUntilThrottled, surplusHours, T2_MICRO_CREDITS } from './credits.ts';
import { hostDataLines, PLAIN_HANDSHAKE_BYTES } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { coresEach, type HostHour, hostHours, processesFor } from './hostProcessor.ts';
import { withEdge, withoutTls } from './machineTls.ts';
import { impossible, type Plan } from './plan.ts';
import type { Workload } from './workload.ts';

/** Machines of a fleet at least, so that one may fail. */
const LEAST_MACHINES = 2;

/** One t2.micro as the comparison stack sets it up, whether the workload fits it or not. */
export function singleT2(workload: Workload, assumed: Assumptions): Plan {
  const hours = hoursOf(workload, assumed);
  const always = { ...workload, servers: 'always' as const };
  return {
    lines: withEdge(
      linesOf(hours, always, assumed, () => 1),
      always,
      assumed,
    ),
    machines: 1,
    problems: problemsOf(hours, workload, assumed),
    lacks: ['failover: while the one machine is down, nobody gets changes', ...withoutTls(workload)],
    notes: [],
  };
}

/**
 * As many t2.micro as the workload needs, two at least, so that one may fail. A load balancer finds those that answer, or DNS, with a health
 * check of each.
 */
export function t2Fleet(workload: Workload, assumed: Assumptions): Plan {
  const hours = hoursOf(workload, assumed);
  const least = Math.max(LEAST_MACHINES, leastForCredits(hours, workload));
  const holds = holdsOf(workload, assumed);
  const needed = hours.map((hour) => Math.max(least, processesFor(hour, holds)));
  const most = Math.max(LEAST_MACHINES, ...needed);
  if (holds === 0) return impossible(`the environments do not fit the ${T2_MICRO_GB} GB of a machine`);
  if (most === Number.POSITIVE_INFINITY)
    return impossible('a host takes a whole machine for itself: look for changes less often');
  const isHourly = workload.servers === 'hourly';
  const lines = linesOf(hours, workload, assumed, (index) => (isHourly ? (needed[index] ?? 0) : most));
  const machineMonths = (lines.find(({ price }) => price === 't2MicroHour')?.quantity ?? 0) / MONTH_HOURS;
  const names: Line[] = [
    { price: 'hostedZone', purpose: 'machines', what: 'name of the fleet', quantity: 1 },
    { price: 'healthCheck', purpose: 'machines', what: 'of each machine', quantity: machineMonths },
  ];
  return {
    lines: withEdge(workload.machineTls === 'balancer' ? lines : [...lines, ...names], workload, assumed),
    machines: most,
    problems: [],
    lacks: withoutTls(workload),
    notes: [],
  };
}

function hoursOf(workload: Workload, assumed: Assumptions): HostHour[] {
  return hostHours(workload, assumed, assumed.t2CoreFactor, workload.machineTls === 'box');
}

/** Connections that one machine holds. */
function holdsOf(workload: Workload, assumed: Assumptions): number {
  const inMemory = connectionsIn(T2_MICRO_GB, workload, assumed);
  return workload.machineTls === 'balancer' ? Math.min(TARGET_CONNECTIONS, inMemory) : inMemory;
}

/** @param machinesIn how many run in an hour, by its index among the active ones */
function linesOf(
  hours: readonly HostHour[],
  workload: Workload,
  assumed: Assumptions,
  machinesIn: (index: number) => number,
): Line[] {
  const { days, credits, servers } = workload;
  const running = hours.map((_, index) => machinesIn(index));
  const most = Math.max(servers === 'hourly' ? 0 : machinesIn(0), ...running);
  const activeHours = days * running.reduce((sum, machines) => sum + machines, 0);
  const machineHours = servers === 'hourly' ? activeHours : most * MONTH_HOURS;
  const months = machineHours / MONTH_HOURS;
  const used = hours.map((hour, index) => (running[index] ?? 0) * Math.min(1, coresEach(hour, running[index] ?? 1)));
  const hoursADay = servers === 'hourly' ? activeHours / days : 24 * most;
  const surplus = days * surplusHours(used, hoursADay);
  const standing = (price: Line['price'], what: string, quantity: number): Line => {
    return { price, purpose: 'machines', what, quantity };
  };
  return [
    standing('t2MicroHour', 'machines', machineHours),
    ...(credits === 'unlimited' ? [standing('t2SurplusHour', 'credits beyond those earned', surplus)] : []),
    standing('diskGb', 'disks', months * HOST_DISK_GB),
    standing('publicIpv4Hour', 'addresses', machineHours),
    standing('customMetric', 'metrics of machines and their agents', months * HOST_METRICS),
    standing('dashboard', 'dashboard', DASHBOARDS),
    ...hostDataLines(workload, assumed, {
      processHours: activeHours,
      processes: most,
      handshakeBytes: workload.machineTls === 'none' ? PLAIN_HANDSHAKE_BYTES : assumed.handshakeBytes,
    }),
  ];
}

/**
 * In standard mode a machine may use what it earns while it runs, a tenth of its core, and what it starts with: that can
 * take more machines than the busiest hour.
 */
function leastForCredits(hours: readonly HostHour[], { credits, servers }: Workload): number {
  if (credits === 'unlimited' || hours.length === 0) return 1;
  const cores = hours.reduce((sum, hour) => sum + hour.cores, 0);
  const own = hours.reduce((sum, hour) => sum + hour.ownCores, 0);
  const { baseline, atLaunch } = T2_MICRO_CREDITS;
  const covered = servers === 'hourly' ? hours.length * baseline + atLaunch / 60 : 24 * baseline;
  const room = covered - own;
  return room > 0 ? Math.max(1, Math.ceil(cores / room)) : Number.POSITIVE_INFINITY;
}

function problemsOf(hours: readonly HostHour[], workload: Workload, assumed: Assumptions): string[] {
  const { credits } = workload;
  const holds = holdsOf(workload, assumed);
  const held = Math.max(0, ...hours.map((hour) => hour.held));
  const busiest = Math.max(0, ...hours.map((hour) => coresEach(hour, 1)));
  const average = hours.reduce((sum, hour) => sum + coresEach(hour, 1), 0) / 24;
  const problems: string[] = [];
  if (holds === 0) problems.push(`the environments do not fit its ${T2_MICRO_GB} GB of memory`);
  else if (held > holds) problems.push(`it holds ${number(holds)} connections, not ${number(held)}`);
  if (busiest > 1) {
    problems.push(`the busiest hour takes ${busiest.toFixed(1)} cores, and it has one`);
  } else if (credits === 'standard' && average > T2_MICRO_CREDITS.baseline) {
    const left = hoursUntilThrottled(busiest);
    problems.push(
      `it uses ${percent(average)} of its core over a day and earns ${percent(T2_MICRO_CREDITS.baseline)}: held to that after ${left.toFixed(1)} busy hours`,
    );
  }
  return problems;
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
