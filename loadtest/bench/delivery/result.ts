import type { Machine } from '../../../dev/support/machine.ts';
import { markdownTable } from '../../../shared/command/markdownTable.ts';
import type { Received } from '../../machine/connectionsServer.ts';
import type { MadeCall } from './instances.ts';

/** A change delivered to all connections, at a pace. */
export interface Delivery {
  /** Messages a second of one call; null where they were not paced. */
  readonly postsPerSecond: number | null;
  /** The calls of each shard, one after another. */
  readonly shards: readonly (readonly Pick<MadeCall, 'wallMs' | 'cpuMs' | 'isFailed' | 'isKilled'>[])[];
  readonly received: Pick<Received, 'messages' | 'connections'>;
}

/** What `npm run bench:delivery` found. */
export interface DeliveryResult {
  readonly at: string;
  readonly commit: string;
  readonly machine: Machine & { readonly node: string };
  readonly connections: number;
  readonly latencyMs: number;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  /** Calls at once. */
  readonly groups: number;
  /** What of a processor each call had; or why it had all there was. */
  readonly processor: string;
  /** The machine's load average of a minute before it began: what others took of it. */
  readonly othersLoad: number;
  readonly deliveries: readonly Delivery[];
}

/** For how long SQS hides the message of a call that was killed, in milliseconds: six times the function's timeout. */
const hiddenMs = (timeoutMs: number) => 6 * timeoutMs;

/**
 * When the last connection has the change, computed from the calls: the message groups of an environment are served side by
 * side, and the shards of each one after another (`groupOf`).
 */
export function wholeMs(
  { shards }: Pick<Delivery, 'shards'>,
  { groups, timeoutMs }: Pick<DeliveryResult, 'groups' | 'timeoutMs'>,
): number {
  const doneAt = new Array<number>(groups).fill(0);
  for (const [shard, calls] of shards.entries()) {
    const ms = calls.reduce((sum, { wallMs, isKilled }) => sum + wallMs + (isKilled ? hiddenMs(timeoutMs) : 0), 0);
    doneAt[shard % groups] = (doneAt[shard % groups] ?? 0) + ms;
  }
  return Math.max(...doneAt);
}

/** The heading of the section, and the section: figures before and after. */
export const HEADING = 'A change to every connection of a large environment';

/** The section as Markdown. */
export function sectionOf(result: DeliveryResult): string {
  const { connections, latencyMs, memoryMb, groups, machine, processor, deliveries } = result;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const columns = deliveries.map((delivery) => {
    const { postsPerSecond, shards, received } = delivery;
    const calls = shards.flat();
    const cpuMs = calls.reduce((sum, call) => sum + call.cpuMs, 0);
    return [
      postsPerSecond === null ? 'after, not paced' : `after, ${postsPerSecond} messages a second of a call`,
      count(received.connections),
      count(received.messages - received.connections),
      `${calls.length}, ${calls.filter(({ isKilled }) => isKilled).length} of them killed`,
      seconds(Math.max(...calls.map(({ wallMs }) => wallMs))),
      `${(cpuMs / received.messages).toFixed(2)} ms`,
      seconds(wholeMs(delivery, result)),
    ];
  });
  const before = ['before', BEFORE.sent, BEFORE.twice, BEFORE.calls, BEFORE.longest, BEFORE.processor, BEFORE.whole];
  const names = [
    '',
    'connections that got it',
    'messages sent twice',
    'calls',
    'longest call',
    'processor a message',
    'all have it after (computed)',
  ];
  const [head = [], ...rows] = names.map((name, n) => [name, ...[before, ...columns].map((column) => column[n] ?? '')]);
  return `One change to ${count(connections)} client-side connections of one environment, each with a user of its own, by the bundle that is deployed, against a
played @connections that answers after ${latencyMs} ms over TLS. Calls were made one at a time, each shard's by an instance of its own with ${memoryMb} MB;
${processor}. The last row is computed from the calls' times: ${groups} of the sixteen shards side by side, and the time that a message is hidden after
a call that was killed; the queue's own time is not in it. The table is the emulator's, in another process. "Before" is an earlier measurement, not one of this
command, of one call that was handed ten of the sixteen shards, 62,500 connections, with 512 MB and 60 s.

${markdownTable(head, rows)}

Measured on ${result.at.slice(0, 10)}, ${machine.cores} × ${machine.cpu}, Node ${machine.node}, commit ${result.commit}; \`npm run bench:delivery\` measures it anew.
${health(result)}
All figures are in [serverless/delivery.json](serverless/delivery.json).`;
}

/** Whether the machine was the measurement's alone. */
function health({ othersLoad, machine }: DeliveryResult): string {
  const load = `The machine's load average was ${othersLoad.toFixed(1)} on ${machine.cores} processors before it began`;
  return othersLoad > machine.cores / 4 ? `${load}: others took part of its time, and times are too long.` : `${load}.`;
}

/** As it was when a call served all shards of its batch and noted nothing before the end. */
const BEFORE = {
  sent: '15,954 of 62,500',
  twice: '15,954 with each of ten attempts',
  calls: 'each was killed',
  longest: '60.0 s',
  processor: '0.78 ms',
  whole: 'never; tried again every 360 s',
};

function count(n: number): string {
  return n.toLocaleString('en-US');
}
