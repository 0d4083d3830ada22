/** Problems of a deployment, by source. */
export interface Attention {
  /** When the sources were read, unix milliseconds. */
  readonly at: number;
  readonly connections: Source<ConnectionProblems>;
  readonly alarms: Source<Alarms>;
}

/** The answer of a source, or the reason why it could not be read. `absent`: the deployment does not have this source. */
export type Source<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unread'; readonly reason: string }
  | { readonly kind: 'absent' };

/** Connections of an environment that miss an answer or a change. */
export interface ConnectionProblems {
  /** Connections that wait for an answer longer than healing takes. */
  readonly unanswered: number;
  /** Connections that a change did not reach. The next delivery or healing sends it. */
  readonly behind: number;
  /** True if the counts stopped at a limit. */
  readonly isAtLeast: boolean;
}

/** CloudWatch's alarms of a deployment. */
export interface Alarms {
  readonly total: number;
  /** Alarms in the state ALARM. */
  readonly firing: readonly FiringAlarm[];
}

interface FiringAlarm {
  readonly name: string;
  /** The cause and the next step. */
  readonly meaning: string;
  /** Its page in the AWS console. */
  readonly url: string;
  /** Unix milliseconds. Undefined if CloudWatch does not report it. */
  readonly since?: number;
}
