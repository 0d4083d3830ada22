import { CORE_FACTOR } from '../../cost/assumptions/coreFactor.ts';
import type { Assumptions } from '../../cost/model/assumptions.ts';
import { unitsADay } from '../../cost/model/balancer.ts';
import type { Workload } from '../../cost/model/workload.ts';
import { type Bill, type Line, priceLines } from '../../cost/prices/bill.ts';
import { PONG_BYTES } from '../../cost/prices/serviceFacts.ts';
import { priceSheetOf } from '../../cost/prices/sheets.ts';
import type { Measured } from './measured.ts';
import type { Parameters } from './state.ts';

/** A task of the stack as it is by default, which runs one host. */
export const TASK = { vcpu: 1, gb: 2 } as const;

/** The most connections that `flagwire:taskConnections` allows: the balancer has some 55,000 ports for each task. */
const MOST_OF_A_TASK = 50_000;

/**
 * New connections a minute that a balancer takes to one task.
 *
 * Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/network/edit-target-group-attributes.html
 */
const NEW_A_MINUTE_OF_A_TASK = 55_000;

/**
 * Tasks that one service starts in a minute; it cannot be raised.
 *
 * Source: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-quotas.html
 */
export const TASKS_STARTED_A_MINUTE = 500;

/** Ports of one address towards another: what a generator has for each zone's address of the balancer. */
const PORTS = 28_000;
export const ZONES = 2;

/** What of its processor a generator may use. */
export const GENERATOR_CPU = 0.7;

/** What a number of clients takes on Fargate. */
export interface Takes {
  readonly tasks: number;
  /** Clients on each. */
  readonly clientsOfATask: number;
  readonly heartbeatsPerSecond: number;
  /** Capacity units of the balancer, which ends TLS. */
  readonly units: number;
  /** Processors of generators. */
  readonly generators: number;
  /** To start the tasks and to open all connections. */
  readonly startMinutes: number;
  readonly openMinutes: number;
  /** To clients, over all tasks. */
  readonly gigabitsPerSecond: number;
  /** Of one hour with TLS. */
  readonly bill: Bill;
}

/**
 * What a workload of one hour takes, in proportion to what was measured: a whole processor carries as many times the clients of a
 * share as it is larger.
 *
 * @param base one task's base capacity
 * @param full the stage that reached the goal
 * @param coreFactor how much longer the same work takes on Fargate than here
 */
export function takesOf(
  workload: Workload,
  { base, full, parameters }: { readonly base: Measured; readonly full: Measured; readonly parameters: Parameters },
  assumed: Assumptions,
  coreFactor: number = CORE_FACTOR.expected,
): Takes {
  const { connections } = workload;
  const scale = TASK.vcpu / parameters.share / coreFactor;
  const tasks = Math.ceil(connections / Math.min(MOST_OF_A_TASK, Math.floor(base.clients * scale)));
  const heartbeatsPerSecond = connections / parameters.every;
  const perGenerator = (full.heartbeatsPerSecond / full.generatorCores / coreFactor) * GENERATOR_CPU;
  const generators = Math.ceil(Math.max(heartbeatsPerSecond / perGenerator, connections / (PORTS * ZONES)));
  const openedPerTask = Math.min((full.openedPerSecond / full.tasks) * scale, NEW_A_MINUTE_OF_A_TASK / 60);
  const bytesPerSecond = heartbeatsPerSecond * (PONG_BYTES + assumed.frameBytes);
  const units = unitsADay({ ...workload, tls: true }, assumed);
  return {
    tasks,
    clientsOfATask: Math.ceil(connections / tasks),
    heartbeatsPerSecond,
    units,
    generators,
    startMinutes: tasks / TASKS_STARTED_A_MINUTE,
    openMinutes: connections / (openedPerTask * tasks) / 60,
    gigabitsPerSecond: (bytesPerSecond * 8) / 1e9,
    bill: priceLines(linesOf(tasks, generators, units, bytesPerSecond), priceSheetOf(workload.region)),
  };
}

/** One hour of it. */
function linesOf(tasks: number, generators: number, units: number, bytesPerSecond: number): Line[] {
  const line = (price: Line['price'], what: string, quantity: number, purpose: Line['purpose'] = 'machines') => {
    return { price, purpose, what, quantity };
  };
  return [
    line('fargateVcpuHour', 'processors of tasks', tasks * TASK.vcpu),
    line('fargateGbHour', 'memory of tasks', tasks * TASK.gb),
    line('publicIpv4Hour', 'addresses of tasks, generators and the balancer', tasks + generators + ZONES),
    line('loadBalancerHour', 'the balancer', 1),
    line('loadBalancerUnitHour', 'its capacity units', units, 'heartbeat'),
    line('dataOut', 'answers to heartbeats', (bytesPerSecond * 3_600) / 1_024 ** 3, 'heartbeat'),
    line('fargateVcpuHour', 'processors of generators', generators),
    line('fargateGbHour', 'memory of generators', generators * 2),
  ];
}
