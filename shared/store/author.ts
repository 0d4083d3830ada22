/** Who changes something, from where, and by what command. */
export interface Author {
  readonly by: string;
  readonly command: string;
}

/** The same, with how many days an environment keeps its changes. */
export interface SignedBy extends Author {
  readonly keepDays: number;
}

/** How long changes are kept where an environment does not say. */
export const DEFAULT_HISTORY_DAYS = 365;
