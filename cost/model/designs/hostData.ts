import { type Line, line, standing } from '../../prices/bill.ts';
import { PONG_BYTES } from '../../prices/serviceFacts.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { trafficOf } from '../workload/traffic.ts';
import { averageOverSdks, deliveredBytes, readUnits } from '../workload/units.ts';
import type { Workload } from '../workload/workload.ts';
import { pollsPerSecond } from './hostCapacity.ts';
import { serverlessLines } from './serverless.ts';

const GB = 1_024 ** 3;

/** The least time between two reads of an environment for data-syncs: requests in between share a read. */
const READ_SPACING_SECONDS = 0.003;

/** Size from which a host on Bun compresses a reply for clients that accept it, as browsers do. */
const COMPRESS_FROM_BYTES = 4_096;

/** Bytes of a handshake without TLS: the response's headers, and TCP's. */
export const PLAIN_HANDSHAKE_BYTES = 300;

/** How many hosts there are, and how they are reached. */
interface HostDataProps {
  readonly processHours: number;
  readonly processes: number;
  readonly handshakeBytes: number;
}

/**
 * Lines of the bill for the data of hosts, on any machine: table requests and data out. With them are those of the serverless stack without
 * connections, which is always deployed. Machines are priced by `t2.ts`, `frontDoor.ts` and `fargate.ts`.
 *
 * @param processHours hours of the month times the processes that run in them
 * @param processes at the busiest hour
 * @param handshakeBytes sent for each handshake
 */
export function hostDataLines(
  workload: Workload,
  assumed: Assumptions,
  { processHours, processes, handshakeBytes }: HostDataProps,
): Line[] {
  const traffic = trafficOf(workload);
  const { flags, flagBytes } = workload;
  const { frameBytes, compressedShare } = assumed;
  const secondsUsed = processHours * 3_600;
  const syncReads = Math.min(traffic.starts, secondsUsed / READ_SPACING_SECONDS);
  const sentFlagBytes = averageOverSdks(workload, assumed, (bytesEach) => bytesEach);
  const replyBytes = averageOverSdks(
    workload,
    assumed,
    (bytesEach, type) =>
      flags * bytesEach * (type === 'client' && flags * bytesEach >= COMPRESS_FROM_BYTES ? compressedShare : 1),
  );
  // The journal's entry is read to send it, and to evaluate it.
  const readBack = 2 * readUnits(flagBytes);
  const gb = (count: number, bytesEach: number) => (count * bytesEach) / GB;
  return [
    ...serverlessLines({ ...workload, connections: 0, newPerHour: 0 }, assumed),
    standing('readUnit', 'polls for changes', secondsUsed * pollsPerSecond(workload)),
    line('readUnit', 'syncs', 'reads for data-syncs', syncReads),
    line('readUnit', 'pushes', 'changes read by each process', traffic.changes * processes * readBack),
    line('dataOut', 'heartbeat', 'pongs', gb(traffic.pings, PONG_BYTES + frameBytes)),
    line('dataOut', 'connections', 'handshakes', gb(traffic.starts, handshakeBytes)),
    line('dataOut', 'syncs', 'answers', gb(traffic.starts, replyBytes + frameBytes)),
    line('dataOut', 'pushes', 'patches', gb(traffic.pushes, sentFlagBytes + frameBytes)),
    line('deliveredGb', 'insights', 'events', deliveredBytes(traffic.events, assumed) / GB),
  ];
}

/**
 * The lines of one machine behind CloudFront, which ends TLS. Data out to clients has CloudFront's price. CloudFront also charges a request
 * for each handshake, and what clients send.
 *
 * Source: https://aws.amazon.com/cloudfront/pricing/
 */
export function behindCloudFront(lines: readonly Line[], workload: Workload, assumed: Assumptions): Line[] {
  const { starts, pings } = trafficOf(workload);
  const received = (pings * (PONG_BYTES + assumed.frameBytes)) / GB;
  return [
    ...lines.map((each) => (each.price === 'dataOut' ? { ...each, price: 'cdnDataOut' as const } : each)),
    line('cdnRequest', 'connections', 'handshakes at CloudFront', starts),
    line('cdnToOrigin', 'heartbeat', 'pings, from CloudFront', received),
  ];
}
