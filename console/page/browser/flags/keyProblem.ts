import { FLAG_KEY_PATTERN, problemOfKey } from '../../../../shared/flags/flag.ts';
import { find } from '../state/content.ts';

/** Hint of the key field. */
export const KEY_FIELD = {
  label: 'Key',
  hint: 'The key your code uses. You cannot change it later.',
  isCode: true,
} as const;

/** Problem of a new flag's key. Undefined if the key is valid. */
export function keyProblem(key: string): string | undefined {
  if (key === '') return 'Enter a key.';
  if (!FLAG_KEY_PATTERN.test(key)) return 'Use letters, digits, dots, underscores or hyphens; at most 128 characters.';
  if (problemOfKey(key)) return `Choose another key: ${problemOfKey(key)}.`;
  return find('flag', key) && 'A flag with this key already exists.';
}
