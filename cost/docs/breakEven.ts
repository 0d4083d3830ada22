import { costOf } from '../model/report/compare.ts';
import { breakEven } from '../model/report/crossings.ts';
import type { Assumptions } from '../model/workload/assumptions.ts';
import { parseWorkload, type Workload } from '../model/workload/workload.ts';
import type { Item } from '../prices/bill.ts';

/** What is counted on both sides, from a comparison of messages with a machine's hours to that of whole bills. */
type Stage = readonly [name: string, serverless: (item: Item) => boolean, machine: (item: Item) => boolean];

const HEARTBEAT = (item: Item) =>
  item.price === 'connectionMinute' || (item.price === 'webSocketMessage' && item.purpose === 'heartbeat');
const prices =
  (...keys: readonly Item['price'][]) =>
  (item: Item) =>
    keys.includes(item.price);
const DATA = prices('dataOut', 'cdnDataOut', 'cdnRequest', 'cdnToOrigin');
const LOGS = prices('logGb');
const CONNECTING = (item: Item) => ['connections', 'syncs'].includes(item.purpose) && !DATA(item) && !LOGS(item);

/** Each stage counts what those before it count, and its own. */
const STAGES: readonly Stage[] = [
  ['pings, pongs and connection minutes; the machine’s hours', HEARTBEAT, prices('t2MicroHour')],
  ['+ reconnects every two hours: data-syncs, functions, table', CONNECTING, CONNECTING],
  ['+ data transfer out, of the machine through CloudFront', DATA, DATA],
  ['+ logs, mostly a line for each ping', LOGS, LOGS],
  ['+ the machine’s address and disk', () => false, prices('publicIpv4Hour', 'diskGb')],
  ['+ the machine’s polls for changes', () => false, ({ what }) => what === 'polls for changes'],
  ['+ everything else: its metrics and dashboard; the idle serverless stack, on both sides', () => true, () => true],
];

/** The longest ping to advise, in seconds: load balancers with TLS forget a connection after 350 s. */
export const LONGEST_PING = 300;

/** Connections up to which the serverless stacks cost no more than one t2.micro, stage by stage. */
interface BreakEven {
  readonly pingSeconds: number;
  readonly stages: readonly { readonly name: string; readonly connections: number }[];
}

/** A workload of connections that are held all the time, and nothing else. */
export function heldAllTime(connections: number, pingSeconds: number): Workload {
  const sdks = [{ share: 1, pingSeconds, type: 'client' as const }];
  return parseWorkload({ connections, sdks, flags: 5, changesPerDay: 0, credits: 'unlimited' });
}

/** Where one t2.micro begins to be cheaper, and which items move that. */
export function breakEvenByStage(pingSeconds: number, assumed: Assumptions): BreakEven {
  const stages = STAGES.map(([name], last) => {
    const counted = STAGES.slice(0, last + 1);
    const cost = (which: 'serverless' | 't2') => (connections: number) => {
      return costOf(which, heldAllTime(connections, pingSeconds), assumed)
        .bill.items.filter((item) =>
          counted.some(([, serverless, machine]) => (which === 't2' ? machine : serverless)(item)),
        )
        .reduce((sum, { usd }) => sum + usd, 0);
    };
    return { name, connections: breakEven(cost('serverless'), cost('t2')) ?? Number.NaN };
  });
  return { pingSeconds, stages };
}
