import { aUser } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import type { Translation } from '../translation.ts';

const USERS = 4_000;

/** What two hashes may differ by in the share of a value, of so many users. */
const TOLERANCE = 0.04;

/**
 * Whether an imported flag gives as many users each of its values as its service does, and not the same users.
 *
 * @param theirs the service's value for a user's key
 */
export async function drawsSameShares(
  { flags, segments }: Translation,
  theirs: (keyId: string) => Promise<string | undefined> | string | undefined,
): Promise<{ readonly isSameShares: boolean; readonly isSameUsers: boolean }> {
  const [flag] = compileEnvironment(flags, { segments }).flags;
  const pairs: [ours: string, theirs: string][] = [];
  for (let n = 0; n < USERS; n++) {
    const keyId = `user-${n}`;
    pairs.push([flag?.evaluate(aUser(keyId)).value ?? '', (await theirs(keyId)) ?? '']);
  }
  const share = (side: 0 | 1, value: string) => pairs.filter((pair) => pair[side] === value).length / USERS;
  return {
    isSameShares: [...new Set(pairs.flat())].every((value) => Math.abs(share(0, value) - share(1, value)) < TOLERANCE),
    isSameUsers: pairs.every(([ours, other]) => ours === other),
  };
}
