import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import type { WorkloadInput } from '../model/workload/workload.ts';

/** One hour with a million clients, in one of the ways they may talk. */
interface MillionHour {
  readonly name: string;
  readonly workload: WorkloadInput;
}

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
const pinging = (pingSeconds: number) => [{ share: 1, pingSeconds, type: 'client' as const }];

/** The cases of a million clients for an hour; the first is StormForge's. */
export const MILLION_HOURS = [
  { name: 'a message a second, answered without a function', workload: { ...common, sdks: pinging(1) } },
  {
    name: 'a message a second, answered by a function',
    workload: { ...common, sdks: pinging(600), messagesPerHour: 3_600 },
  },
  { name: 'FeatBit’s SDKs, a ping every 10 s', workload: { ...common, sdks: pinging(10) } },
  {
    name: `FeatBit’s SDKs, a ping every ${SDK_PING_SECONDS} s`,
    workload: { ...common, sdks: pinging(SDK_PING_SECONDS) },
  },
  { name: 'a ping every five minutes', workload: { ...common, sdks: pinging(300) } },
] as const satisfies readonly MillionHour[];
