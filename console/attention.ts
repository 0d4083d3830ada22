/** Problems of a deployment. */
export interface Attention {
  /** When the alarms were read, unix milliseconds. */
  readonly at: number;
  /** The alarms, or the reason why they could not be read. `absent`: the deployment does not have any. */
  readonly alarms:
    | { readonly kind: 'read'; readonly value: Alarms }
    | { readonly kind: 'unread'; readonly reason: string }
    | { readonly kind: 'absent' };
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
