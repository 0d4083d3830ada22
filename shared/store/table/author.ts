/** Who makes a change, from where, and with which command. */
export interface Author {
  readonly by: string;
  readonly command: string;
}

/** The author, and how many days the environment keeps its changes. */
export interface SignedBy extends Author {
  readonly keepDays: number;
}
