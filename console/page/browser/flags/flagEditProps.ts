import type { Flag } from '../../../../shared/flags/flag.ts';

/** A flag, and what receives its edits. */
export interface FlagEditProps {
  readonly flag: Flag;
  readonly onChange: (flag: Flag) => void;
}
