import type { Flag } from '../flags/flag.ts';
import type { Rollout } from '../flags/rule.ts';
import { nameOfVariation, widthsOf } from '../flags/shares.ts';
import { shortened } from '../flags/texts.ts';

/** Variations and rules that are named, and characters of each name. */
const NAMED = 3;
const NAMED_RULES = 2;
const NAME_LIMIT = 24;

/** What a flag serves, in a few words: `false (off)`, `true for 2 users and Norway, else 10 %`. */
export function servedText(flag: Flag): string {
  const { rules, fallthrough } = flag;
  if (flag.isArchived) return 'the default in your code';
  if (!flag.isEnabled) return `${shortName(flag, flag.disabledVariationId)} (off)`;
  const targets = flag.targetUsers.filter(({ keyIds }) => keyIds.length > 0);
  const users = targets.map(({ variationId, keyIds }) => [
    shortName(flag, variationId),
    counted(keyIds.length, 'user'),
  ]);
  const named = rules.slice(0, NAMED_RULES).map((rule) => {
    return [rolloutText(flag, rule, ' / '), shortened(rule.name || 'a rule', NAME_LIMIT)];
  });
  const groups: string[][] = [];
  for (const [served = '', who = ''] of [...users.slice(0, NAMED), ...named]) {
    const last = groups.at(-1);
    if (last?.[0] === served) last.push(who);
    else groups.push([served, who]);
  }
  const more = Math.max(0, users.length - NAMED) + Math.max(0, rules.length - NAMED_RULES);
  const before = groups.map(([served, ...who]) => `${served} for ${who.join(' and ')}`);
  const only = groups.length === 1 && more === 0 ? groups[0]?.[0] : undefined;
  const others = rolloutText(flag, fallthrough, ', ', only);
  if (before.length === 0) return others;
  return `${[...before, ...(more > 0 ? [`${more} more`] : [])].join(', ')}, else ${others}`;
}

/** @param named a variation that needs no name: if one other has the rest, only its share is shown */
function rolloutText(flag: Flag, { variations }: Rollout, separator: string, named?: string): string {
  const shares = Array.from(widthsOf(variations), ([id, width]) => ({ id, percent: Math.round(width * 10_000) / 100 }));
  const served = shares.filter(({ percent }) => percent > 0);
  if (served.length === 0) return 'nothing';
  if (served.length > NAMED) return `${served.length} variations by percentage`;
  const own = served.length === 2 && served.find(({ id }) => shortName(flag, id) === named);
  if (own) return `${own.percent} %`;
  const textOf = ({ id, percent }: { readonly id: string; readonly percent: number }) =>
    percent === 100 ? shortName(flag, id) : `${shortName(flag, id)} ${percent} %`;
  return served.map(textOf).join(separator);
}

function shortName(flag: Flag, id: string): string {
  return nameOfVariation(flag, id, NAME_LIMIT);
}

/** So many things in words: `1 flag`, `3 flags`. */
export function counted(n: number, what: string): string {
  return n === 0 ? '' : `${n} ${what}${n === 1 ? '' : 's'}`;
}
