import { signal } from '@preact/signals';
import { parseUser, type User } from '../../../../shared/flags/user.ts';

/** A user as somebody writes one. */
export interface WrittenUser {
  readonly keyId: string;
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** Whom flags are evaluated for on this page; kept while somebody looks at something else. */
export const writtenUser = signal<WrittenUser>({ keyId: 'u1', name: '', attributes: [] });

/** The same as an SDK would have sent it; undefined where the key id is blank. */
export function userOf({ keyId, name, attributes }: WrittenUser): User | undefined {
  return parseUser({
    keyId: keyId.trim(),
    ...(name === '' ? {} : { name }),
    customizedProperties: attributes
      .filter(([attribute]) => attribute !== '')
      .map(([attribute, value]) => ({ name: attribute, value })),
  });
}
