import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import type { WorkloadInput } from './workload.ts';

/** A typical workload. */
interface Preset {
  readonly title: string;
  readonly about: string;
  readonly workload: WorkloadInput;
}

const browser = { pingSeconds: SDK_PING_SECONDS, type: 'client' } as const;
const server = { pingSeconds: 10, type: 'server' } as const;

/** Workloads to start from. */
export const PRESETS = {
  'side-project': {
    title: 'A side project',
    about: 'two servers, and a few visitors in the evening',
    workload: {
      connections: 12,
      curve: 'evening',
      newPerHour: 30,
      sdks: [
        { share: 0.8, ...browser },
        { share: 0.2, ...server },
      ],
      flags: 10,
      changesPerDay: 2,
      eventsPerHour: 20,
    },
  },
  'small-business': {
    title: 'A small business',
    about: 'a few thousand connections in office hours, most of them browsers',
    workload: {
      connections: 3_000,
      curve: 'office',
      newPerHour: 4_000,
      sdks: [
        { share: 0.95, ...browser },
        { share: 0.05, ...server },
      ],
      flags: 50,
      changesPerDay: 20,
      eventsPerHour: 60,
    },
  },
  saas: {
    title: 'A busy SaaS',
    about: '80,000 browsers, apps and servers around the clock',
    workload: {
      connections: 80_000,
      curve: 'evening',
      newPerHour: 120_000,
      sdks: [
        { share: 0.9, ...browser },
        { share: 0.1, ...server },
      ],
      flags: 200,
      changesPerDay: 80,
      eventsPerHour: 60,
    },
  },
  stormforge: {
    title: 'StormForge’s million',
    about: 'a million clients for one hour of one day, each with a message a second. Hosts run for that hour',
    workload: {
      connections: 1_000_000,
      curve: 'one-hour',
      days: 1,
      newPerHour: 1_000_000,
      sdks: [{ share: 1, pingSeconds: 1, type: 'client' }],
      flags: 5,
      changesPerDay: 2,
      servers: 'hourly',
    },
  },
} as const satisfies Record<string, Preset>;

/** One of {@link PRESETS}. */
export type PresetName = keyof typeof PRESETS;
