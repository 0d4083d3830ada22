import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import type { WorkloadInput } from '../model/workload/workload.ts';

const common = {
  connections: 1_000_000,
  curve: 'one-hour',
  days: 1,
  flags: 5,
  changesPerDay: 0,
  servers: 'hourly',
  requestQuota: 2e6,
  connectQuota: 1e6,
} as const satisfies WorkloadInput;
/** One hour with a million clients. */
const hour = (name: string, pingSeconds: number, messagesPerHour = 0) => {
  const workload: WorkloadInput = { ...common, sdks: [{ share: 1, pingSeconds, type: 'client' }], messagesPerHour };
  return { name, workload };
};

/** The cases of a million clients for an hour; the first is StormForge's. */
export const MILLION_HOURS = [
  hour('a message a second, answered without a function', 1),
  hour('a message a second, answered by a function', 600, 3_600),
  hour('FeatBit’s SDKs, a ping every 10 s', 10),
  hour(`FeatBit’s SDKs, a ping every ${SDK_PING_SECONDS} s`, SDK_PING_SECONDS),
  hour('a ping every five minutes', 300),
];
