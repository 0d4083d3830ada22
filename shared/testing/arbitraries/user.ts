import fc from 'fast-check';
import type { User } from '../../flags/user.ts';

/** Custom attributes of generated users and conditions, with their values. */
export const ATTRIBUTES = {
  country: ['cn', 'us', 'jp', 'gb', 'de'],
  plan: ['free', 'pro', 'enterprise', ''],
  email: ['ann@example.com', 'bob@example.org', 'carl@test.example'],
  age: ['7', '17', '18', '30.5', '-1', ' 18 ', '1e1'],
  score: ['0', '99', '1,000', '22abc', 'Infinity', ''],
  isMember: ['true', 'FALSE', 'True', 'no'],
} as const;

/** Names of {@link ATTRIBUTES}. */
export const ATTRIBUTE_NAMES = Object.keys(ATTRIBUTES) as (keyof typeof ATTRIBUTES)[];

/** A user's key id: one of a few that targets and segments also use, or any text that is not blank. */
export const keyIdArbitrary: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.nat(60).map((n) => `user-${n}`) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ''),
  },
);

/** A user. Some lack a name or an attribute. */
export const userArbitrary: fc.Arbitrary<User> = fc.record({
  keyId: keyIdArbitrary,
  name: fc.option(fc.constantFrom('ann_qa', 'bob', ''), { freq: 20 }),
  attributes: fc
    .tuple(...ATTRIBUTE_NAMES.map((name) => fc.option(fc.constantFrom(...ATTRIBUTES[name]), { freq: 20 })))
    .map(
      (values) =>
        new Map(ATTRIBUTE_NAMES.flatMap((name, n) => (values[n] == null ? [] : [[name, values[n]] as const]))),
    ),
});
