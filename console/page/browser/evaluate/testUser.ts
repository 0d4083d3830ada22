import { signal } from '@preact/signals';
import { parseUser, type User } from '../../../../shared/flags/user.ts';

/** The user in the form. */
export interface TestUser {
  readonly keyId: string;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** The user of this page. Other views do not reset it. */
export const testUser = signal<TestUser>({ keyId: 'u1', name: '', attributes: [] });

/** The user as an SDK sends it. Undefined if the user key is blank. */
export function userOf({ keyId, name, attributes }: TestUser): User | undefined {
  return parseUser({
    keyId: keyId.trim(),
    ...(name === '' ? {} : { name }),
    customizedProperties: attributes
      .filter(([attribute]) => attribute !== '')
      .map(([attribute, value]) => ({ name: attribute, value })),
  });
}
