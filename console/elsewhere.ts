import type { Flag } from '../shared/flags/flag.ts';

/** Maximum number of environments in {@link Elsewhere}. */
export const OTHER_ENVIRONMENTS = 20;

const STATES = ['on', 'off', 'archived'] as const;
export type FlagState = (typeof STATES)[number];

/** The flags of other environments. Environments that the operator may not read are missing. */
export interface Elsewhere {
  readonly others: readonly {
    readonly id: string;
    readonly flags: readonly (readonly [key: string, state: FlagState])[];
  }[];
}

/** The state of a flag in one word. */
export function flagState({ isArchived, isEnabled }: Pick<Flag, 'isArchived' | 'isEnabled'>): FlagState {
  return isArchived ? 'archived' : isEnabled ? 'on' : 'off';
}

/** Environments that {@link elsewhereText} names. */
const NAMED = 2;

/**
 * Where else a flag is on, or else off, in a few words: `on in staging, qa +3`.
 *
 * @param states of the flag in the other environments, by their names. Undefined: it is not there
 */
export function elsewhereText(states: readonly (readonly [name: string, state: FlagState | undefined])[]): string {
  for (const state of STATES) {
    const names = states.flatMap(([name, found]) => (found === state ? name : []));
    const more = names.length > NAMED ? ` +${names.length - NAMED}` : '';
    if (names.length > 0) return `${state} in ${names.slice(0, NAMED).join(', ')}${more}`;
  }
  return states.length === 0 ? '' : 'nowhere else';
}
