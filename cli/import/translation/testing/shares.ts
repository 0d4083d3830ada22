import { aUser } from '../../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../../shared/testing/evaluate.ts';
import type { Translation } from '../translator.ts';

const USERS = 4_000;

/** Maximum difference between two hashes in a value's share, for this number of users. */
const TOLERANCE = 0.04;

/**
 * Whether an imported flag serves each value to the same share of users as its service, but to different users.
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
