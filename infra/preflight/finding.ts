/** Something that will not work in the account: one line, with the way out. */
export interface Finding {
  /** Whether AWS refuses the deployment; otherwise it succeeds and works less well. */
  readonly isRefused: boolean;
  readonly text: string;
}
