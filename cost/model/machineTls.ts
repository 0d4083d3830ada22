import type { Line } from '../prices/bill.ts';
import { PONG_BYTES } from '../prices/serviceFacts.ts';
import type { Assumptions } from './assumptions.ts';
import { balancerLines } from './balancer.ts';
import { trafficOf } from './traffic.ts';
import type { Workload } from './workload.ts';

const GB = 1_024 ** 3;

/**
 * The lines of machines with what stands before them. CloudFront takes what goes to clients off the machines' own data out, which is free
 * to it, and counts a request for each handshake and what clients send.
 *
 * Source: https://aws.amazon.com/cloudfront/pricing/
 */
export function withEdge(lines: readonly Line[], workload: Workload, assumed: Assumptions): Line[] {
  if (workload.machineTls === 'balancer') return [...lines, ...balancerLines({ ...workload, tls: true }, assumed)];
  if (workload.machineTls !== 'cloudfront') return [...lines];
  const { starts, pings, messages } = trafficOf(workload);
  const received = ((pings + messages) * (PONG_BYTES + assumed.frameBytes)) / GB;
  return [
    ...lines.map((line) => (line.price === 'dataOut' ? { ...line, price: 'cdnDataOut' as const } : line)),
    { price: 'cdnRequest', purpose: 'connections', what: 'handshakes at CloudFront', quantity: starts },
    { price: 'cdnToOrigin', purpose: 'heartbeat', what: 'pings and messages, from CloudFront', quantity: received },
  ];
}

/** What machines without TLS lack. */
export function withoutTls({ machineTls }: Workload): string[] {
  return machineTls === 'none' ? ['TLS: pages on https cannot connect to it'] : [];
}
