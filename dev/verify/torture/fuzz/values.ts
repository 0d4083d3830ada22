import type { Random } from '../random.ts';
import samples from './samples.json' with { type: 'json' };

/** JSON values of wrong types or forms. */
const ODD: readonly unknown[] = [
  ...[null, true, false],
  ...[0, -0, -1, 0.5, 1e308, 2 ** 53, -(2 ** 53)],
  ...['', ' ', '0', '\0', '\ud800', '\u2028', '__proto__', 'constructor', 'toString'],
  ...[[], {}, [[]], [null], { '': null }, { length: -1 }, { toString: 1, valueOf: null }],
];

/** An invalid value. Some values are large or deep. */
function oddValue(random: Random): unknown {
  const kind = random.next();
  if (kind < 0.8) return random.pick(ODD);
  if (kind < 0.9) return random.pick(['x', ' ', '\\', '"', '[', 'é', '😀', '9']).repeat(random.between(1, 12_000));
  if (kind < 0.95) return Array.from({ length: random.between(1, 2_000) }, () => random.pick(ODD));
  return JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`);
}

/** Replaces, removes and renames parts of a JSON value at random. */
function mutateValue(value: unknown, random: Random): unknown {
  if (random.chance(0.15)) return oddValue(random);
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => {
      if (random.chance(0.1)) return [];
      const mutated = random.chance(0.4) ? mutateValue(item, random) : item;
      return random.chance(0.1) ? [mutated, mutated] : [mutated];
    });
    return random.chance(0.1) ? [...items, oddValue(random)] : items;
  }
  if (typeof value !== 'object' || value === null) return random.chance(0.3) ? oddValue(random) : value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    if (random.chance(0.08)) return [];
    const mutated = random.chance(0.5) ? mutateValue(item, random) : item;
    const others = [name.toUpperCase(), name.toLowerCase(), ` ${name}`, `${name}\0`, '__proto__', ''];
    return [[random.chance(0.1) ? random.pick(others) : name, mutated]];
  });
  if (random.chance(0.1)) entries.push([JSON.stringify(oddValue(random)).slice(0, 100), oddValue(random)]);
  return Object.fromEntries(entries);
}

/** JSON text of a mutated value. Some texts are invalid JSON. */
export function mutatedJson(value: unknown, random: Random): string {
  const text = JSON.stringify(random.chance(0.9) ? mutateValue(value, random) : value) ?? 'null';
  if (random.chance(0.85)) return text;
  const at = random.between(0, text.length);
  const doubled = text.replace('{', `{"data":${JSON.stringify(oddValue(random))},`);
  return random.pick([text.slice(0, at), text.slice(at), `${text}${text}`, `\ufeff${text}`, doubled, ` \n${text}\t`]);
}

/** The text of a message, valid or not. */
export function oddMessage(random: Random): string {
  return mutatedJson(random.pick<unknown>(samples.messages), random);
}
