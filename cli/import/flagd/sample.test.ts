import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { User } from '../../../shared/flags/user.ts';
import { ofrepAnswer, parseOfrepRequest } from '../../../shared/protocol/ofrep.ts';
import { aUser } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { flagdWith } from '../../testing/evaluators/flagd.ts';
import { importFromFlagd } from './import.ts';

const file = JSON.parse(readFileSync(join(import.meta.dirname, 'testing/data/example_flags.flagd.json'), 'utf8'));
const contexts: Record<string, string>[] = [
  {},
  { color: 'yellow' },
  { color: 'red', email: 'ann@faas.com' },
  { email: 'bob@openfeature.dev' },
];

test('imports flagd’s own sample whole, with flagd’s values except for percentages', () => {
  const { flags, segments, leftOut, differences } = importFromFlagd(file);
  const asText = (key: string, name: string, more = '') =>
    `${key}: attributes are text here; it can differ where "${name}" is ${more}a number, true or false, a list or an object`;
  expect(flags.map(({ key }) => key)).toEqual(Object.keys(file.flags));
  expect(leftOut).toEqual([]);
  expect(differences).toEqual([
    asText('isColorYellow', 'color'),
    asText('fibAlgo', 'email'),
    asText('headerColor', 'email', 'empty, '),
    'headerColor: has a percentage rollout: it selects other users; up to 75 % of users get another variation',
    asText('targetedFlag', 'email'),
    expect.stringMatching(/^attributes are text here: a list is its JSON/),
  ]);
  const flagd = flagdWith(file);
  const theirs = {
    boolean: (key: string, context: Record<string, string>) => flagd.resolveBooleanEvaluation(key, false, context),
    number: (key: string, context: Record<string, string>) => flagd.resolveNumberEvaluation(key, 0, context),
    string: (key: string, context: Record<string, string>) => flagd.resolveStringEvaluation(key, '', context),
    json: (key: string, context: Record<string, string>) => flagd.resolveObjectEvaluation(key, {}, context),
  };
  for (const flag of compileEnvironment(flags, { segments }).flags) {
    const { key, variationType } = flag.document;
    for (const context of contexts) {
      if (key === 'headerColor' && context['email'] === 'ann@faas.com') continue;
      const { value } = theirs[variationType](key, { ...context, targetingKey: 'u' });
      const ours = flag.evaluate(aUser('u', context)).value;
      expect([key, ours]).toEqual([key, typeof value === 'object' ? JSON.stringify(value) : String(value)]);
    }
  }
});

test('an empty context has flagd’s value of flags that do not need the targeting key', () => {
  const onOff = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' };
  const levels = { state: 'ENABLED', variants: { '10%': 0.1, '5': 5, none: 0 }, defaultVariant: 'none' };
  const product = { var: 'product' };
  const flags = {
    on: { ...onOff, defaultVariant: 'on' },
    off: onOff,
    level: { ...levels, defaultVariant: '10%' },
    named: { ...levels, defaultVariant: '5' },
    none: levels,
    attribute: { ...onOff, targeting: { if: [{ '==': [product, 'p1'] }, 'on', 'off'] } },
    missing: { ...onOff, targeting: { if: [{ '!=': [product, 'p1'] }, 'on', 'off'] } },
    same: { ...onOff, targeting: { if: [{ '==': [product, 'p1'] }, 'off', 'off'] } },
    split: {
      ...onOff,
      targeting: {
        fractional: [
          ['off', 50],
          ['on', 50],
        ],
      },
    },
    key: { ...onOff, targeting: { if: [{ in: [{ var: 'targetingKey' }, ['ann']] }, 'on', 'off'] } },
  };
  const imported = importFromFlagd({ flags });
  expect(imported).toMatchObject({ leftOut: [], flags: Object.keys(flags).map((key) => ({ key })) });
  const flagd = flagdWith({ flags });
  const nobody = parseOfrepRequest({ context: {} }) as User;
  for (const flag of compileEnvironment(imported.flags, { segments: imported.segments }).flags) {
    const { key, variationType } = flag.document;
    const { value, variant } =
      variationType === 'number'
        ? flagd.resolveNumberEvaluation(key, -1, {})
        : flagd.resolveBooleanEvaluation(key, false, {});
    const needsKey = key === 'split' || key === 'key';
    const answer = ofrepAnswer(flag, nobody);
    if (needsKey) expect(answer).toMatchObject({ key, errorCode: 'TARGETING_KEY_MISSING' });
    else expect(JSON.parse((answer as { json: string }).json)).toMatchObject({ key, value, variant });
  }
});
