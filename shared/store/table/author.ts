/** Who makes a change, from where, and with which command. */
export interface Author {
  readonly by: string;
  readonly command: string;
  /** The commit of the imported file. Absent for other changes. */
  readonly commit?: string | undefined;
}

/** The author, and how many days the environment keeps its changes. */
export interface SignedBy extends Author {
  readonly keepDays: number;
}
