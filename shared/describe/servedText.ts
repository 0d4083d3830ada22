import type { Flag } from '../flags/flag.ts';
import type { Rollout } from '../flags/rule.ts';
import { nameOfVariation } from '../flags/shares.ts';

/** Variations of a rollout that are named, and characters of each name. */
const NAMED = 3;
const NAME_LIMIT = 24;

/** What a flag serves, in a few words: `false (off)`, `2 rules, else true 20 %, false 80 %`. */
export function servedText(flag: Flag): string {
  if (flag.isArchived) return 'the default in your code';
  if (!flag.isEnabled) return `${shortName(flag, flag.disabledVariationId)} (off)`;
  const users = flag.targetUsers.reduce((sum, { keyIds }) => sum + keyIds.length, 0);
  const before = [counted(users, 'user'), counted(flag.rules.length, 'rule')].filter((text) => text !== '');
  const others = rolloutText(flag, flag.fallthrough);
  return before.length === 0 ? others : `${before.join(', ')}, else ${others}`;
}

function rolloutText(flag: Flag, { variations }: Rollout): string {
  const shares = variations.filter(({ rollout: [lower, upper] }) => upper > lower);
  const [first] = shares;
  if (!first) return 'nothing';
  if (shares.length > NAMED) return `${shares.length} variations by percentage`;
  const texts = shares.map(({ id, rollout: [lower, upper] }) => {
    const percent = Math.round((upper - lower) * 10_000) / 100;
    return percent === 100 ? shortName(flag, id) : `${shortName(flag, id)} ${percent} %`;
  });
  return texts.join(', ');
}

function shortName(flag: Flag, id: string): string {
  return nameOfVariation(flag, id, NAME_LIMIT);
}

/** So many things in words: `1 flag`, `3 flags`. */
export function counted(n: number, what: string): string {
  return n === 0 ? '' : `${n} ${what}${n === 1 ? '' : 's'}`;
}
