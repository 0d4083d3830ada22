import type { Effects } from '../../../shared/runtime/effects.ts';
import type { FlagStore } from '../../../shared/store/store.ts';
import type { RunningProcess } from '../../support/runningProcess.ts';
import type { Target } from '../conformance/target.ts';

/** Targets: the host, the serverless service of `npm start`, and three hosts behind a balancer. */
export const SERVICES = ['host', 'gateway', 'balanced'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** A service in its own processes, on a free port of this machine, with its own data. */
export interface Service {
  readonly name: ServiceName;
  readonly port: number;
  /** The process that answers. It changes with each start. */
  readonly process: RunningProcess;
  /** Its URLs and tables. The port of the tables may change with a start. */
  readonly target: Target;
  /** Opens its store with another clock, until the next start. */
  readonly open: (effects: Effects) => FlagStore;
  /** Ends the process, or the oldest host behind a balancer. Acknowledged writes are kept. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again after {@link end} at the same port, or one more host behind a balancer. */
  start(): Promise<void>;
  /** Ends everything and removes the data. */
  close(): Promise<void>;
}

/** The hosts at one port, without their table. */
export type Hosts = Pick<Service, 'port' | 'process' | 'end' | 'start' | 'close'>;
