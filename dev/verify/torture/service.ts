import type { Effects } from '../../../shared/runtime/effects.ts';
import type { FlagStore } from '../../../shared/store/store.ts';
import type { RunningProcess } from '../../support/runningProcess.ts';
import type { Target } from '../conformance/target.ts';

/** Targets: the host, the serverless service of `npm start`, and three hosts behind a balancer. */
export const SERVICES = ['host', 'gateway', 'balanced'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** One of them in processes of its own, on a free port of this machine, with data of its own. */
export interface Service {
  readonly name: ServiceName;
  readonly port: number;
  /** The process that answers; another one after each start. */
  readonly process: RunningProcess;
  /** Its URLs and tables. The port of the tables may change with a start. */
  readonly target: Target;
  /** Opens its store by another clock. Not for longer than until the next start. */
  readonly open: (effects: Effects) => FlagStore;
  /** Ends the process, of hosts behind a balancer the oldest. Acknowledged writes outlive it. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Starts it again after {@link end}, at the same port; behind a balancer, one more host. */
  start(): Promise<void>;
  /** Ends everything and removes the data. */
  close(): Promise<void>;
}
