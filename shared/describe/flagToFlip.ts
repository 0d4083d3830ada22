import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import type { User } from '../flags/user.ts';
import { explainFlag } from './explain.ts';

/** The user in all snippets, and on the page `/try`. */
export const SNIPPET_USER: User = { keyId: 'u1', name: 'u1', attributes: new Map() };

/**
 * The flag of all examples: a boolean flag whose value for {@link SNIPPET_USER} changes when the flag is turned on or off. Of
 * several, it is the one with the fewest rules and targets, then the first by key. Without one, it is the first flag.
 *
 * @param flags archived ones are ignored
 */
export function flagToFlip(flags: readonly Flag[], segments: readonly Segment[]): Flag | undefined {
  const size = ({ rules, targetUsers }: Flag) => rules.length + targetUsers.length;
  const offered = flags
    .filter(({ isArchived }) => !isArchived)
    .toSorted((a, b) => size(a) - size(b) || (a.key < b.key ? -1 : 1));
  const valueIf = (flag: Flag, isEnabled: boolean) =>
    explainFlag({ ...flag, isEnabled }, SNIPPET_USER, segments).result.value;
  return (
    offered.find((flag) => flag.variationType === 'boolean' && valueIf(flag, true) !== valueIf(flag, false)) ??
    offered[0]
  );
}
