import { signal } from '@preact/signals';
import { parseUser, type User } from '../../../../shared/flags/user.ts';

/** A user as the form holds it. */
export interface TestUser {
  readonly keyId: string;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** The user that flags are evaluated for on this page; kept while another view is shown. */
export const testUser = signal<TestUser>({ keyId: 'u1', name: '', attributes: [] });

/** The same as an SDK would have sent it; undefined where the user key is blank. */
export function userOf({ keyId, name, attributes }: TestUser): User | undefined {
  return parseUser({
    keyId: keyId.trim(),
    ...(name === '' ? {} : { name }),
    customizedProperties: attributes
      .filter(([attribute]) => attribute !== '')
      .map(([attribute, value]) => ({ name: attribute, value })),
  });
}
