/** What is wrong with a deployment, by each source that was asked. */
export interface Attention {
  /** When the sources were read, unix milliseconds. */
  readonly at: number;
  readonly connections: Source<ConnectionTroubles>;
  readonly alarms: Source<Alarms>;
}

/** What a source said, or why it could not be read; `absent`: there is no such source here. */
export type Source<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unread'; readonly reason: string }
  | { readonly kind: 'absent' };

/** Connections of an environment that do not have all of it. */
export interface ConnectionTroubles {
  /** They have waited for an answer for longer than healing takes. */
  readonly unanswered: number;
  /** A change did not reach them; the next delivery or healing sends it. */
  readonly behind: number;
  /** The counts ended at a limit: there may be more. */
  readonly isAtLeast: boolean;
}

/** CloudWatch's alarms of a deployment. */
export interface Alarms {
  readonly total: number;
  /** Those in the state ALARM. */
  readonly firing: readonly FiringAlarm[];
}

export interface FiringAlarm {
  readonly name: string;
  /** What happened, and what to do. */
  readonly meaning: string;
  /** Its page in the AWS console. */
  readonly url: string;
  /** Unix milliseconds; undefined where CloudWatch does not say. */
  readonly since?: number;
}
