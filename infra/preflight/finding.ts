/** Something that will not work in an account: one line, with the way out. */
export interface Finding {
  /** Whether AWS refuses the deployment; otherwise it is made, and works worse. */
  readonly isRefused: boolean;
  readonly text: string;
}
