import { type Line, line } from '../../prices/bill.ts';
import { PONG_BYTES } from '../../prices/serviceFacts.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';

const GB = 1_024 ** 3;

/**
 * The lines of one machine behind CloudFront, which ends TLS. Data out to clients has CloudFront's price. CloudFront also charges a request
 * for each handshake, and what clients send.
 *
 * Source: https://aws.amazon.com/cloudfront/pricing/
 */
export function behindCloudFront(lines: readonly Line[], workload: Workload, assumed: Assumptions): Line[] {
  const { starts, pings, messages } = trafficOf(workload);
  const received = ((pings + messages) * (PONG_BYTES + assumed.frameBytes)) / GB;
  return [
    ...lines.map((each) => (each.price === 'dataOut' ? { ...each, price: 'cdnDataOut' as const } : each)),
    line('cdnRequest', 'connections', 'handshakes at CloudFront', starts),
    line('cdnToOrigin', 'heartbeat', 'pings and messages, from CloudFront', received),
  ];
}
