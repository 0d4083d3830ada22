/** Who makes a change, from where, and with which command. */
export interface Author {
  readonly by: string;
  readonly command: string;
  /** The commit of the imported file. Absent for other changes. */
  readonly commit?: string | undefined;
  /**
   * Who was signed in to the deployed console: the provider's id of the person. Absent for other changes. IAM lets only the console's
   * roles and administrators write it (docs/operations/sign-in.md).
   */
  readonly signedBy?: string | undefined;
}

/** The author, and how many days the environment keeps its changes. */
export interface RecordedAuthor extends Author {
  readonly keepDays: number;
}
