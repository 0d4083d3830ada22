import { describe, expect, test } from '@jest/globals';
import type { Flag } from '../flags/flag.ts';
import { aCondition, aFlag, aRollout, aRule, aUser, share } from '../testing/builders.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { ofrepAnswer, ofrepSummary, parseOfrepRequest } from './ofrep.ts';

const failureOf = (body: unknown) => (parseOfrepRequest(body) as { errorCode?: string }).errorCode;
const userOf = (context: object) => parseOfrepRequest({ context: { targetingKey: 'u1', ...context } });

describe('the user of a request', () => {
  test('has the targeting key, the name, and all else as attributes', () => {
    const context = {
      name: 'Ann',
      country: 'us',
      age: 22,
      isPro: true,
      tags: ['a'],
      address: { zip: '1' },
      gone: null,
    };
    expect(userOf(context)).toEqual({
      keyId: 'u1',
      name: 'Ann',
      attributes: new Map(
        Object.entries({ country: 'us', age: '22', isPro: 'true', tags: '["a"]', address: '{"zip":"1"}' }),
      ),
    });
    expect(userOf({})).toEqual(aUser('u1'));
    expect(userOf({ name: null, plan: null })).toEqual(aUser('u1'));
    expect(userOf({ name: '' })).toEqual(aUser('u1', {}, ''));
    expect(userOf({ name: 7 })).toEqual(aUser('u1', {}, '7'));
  });

  test.each<[string, object]>([
    ['without a targeting key', {}],
    ['with a targeting key that is null', { targetingKey: null }],
    ['with a blank targeting key', { targetingKey: ' \t\u0085' }],
  ])('has an empty key in a context %s', (_, context) => {
    expect(parseOfrepRequest({ context: { ...context, plan: 'pro' } })).toEqual(aUser('', { plan: 'pro' }));
  });

  test.each([{}, { context: null }, JSON.parse('{"__proto__":{"context":{"targetingKey":"u1"}}}')])(
    'has nothing without a context: %j',
    (body) => {
      expect(parseOfrepRequest(body)).toEqual(aUser(''));
    },
  );

  test('has attributes of any name', () => {
    const context = JSON.parse('{"targetingKey":"u1","__proto__":"p","":"empty","KeyId":"k","constructor":1}');
    expect(parseOfrepRequest({ context })).toEqual({
      keyId: 'u1',
      name: null,
      attributes: new Map([
        ['__proto__', 'p'],
        ['', 'empty'],
        ['KeyId', 'k'],
        ['constructor', '1'],
      ]),
    });
  });

  test.each<[string, unknown, string]>([
    ['no JSON', undefined, 'PARSE_ERROR'],
    ['null', null, 'PARSE_ERROR'],
    ['a list', [], 'PARSE_ERROR'],
    ['text', 'context', 'PARSE_ERROR'],
    ['a context that is a list', { context: [] }, 'INVALID_CONTEXT'],
    ['a context that is text', { context: 'u1' }, 'INVALID_CONTEXT'],
    ['a targeting key that is a number', { context: { targetingKey: 7 } }, 'INVALID_CONTEXT'],
    ['a targeting key that is an object', { context: { targetingKey: {} } }, 'INVALID_CONTEXT'],
  ])('is not there in a body that is, or has, %s', (_, body, code) => {
    expect(failureOf(body)).toBe(code);
  });
});

const answerOf = (fields: Partial<Flag>, user = aUser('u1', { plan: 'pro' })) => {
  const [flag] = compileEnvironment([aFlag(fields)]).flags;
  const answer = flag && ofrepAnswer(flag, user);
  if (!answer || 'errorCode' in answer) return answer;
  return { ...JSON.parse(answer.json), isFailure: answer.isFailure };
};
const ofValue = (variationType: Flag['variationType'], value: string) => ({
  variationType,
  variations: [{ id: 'on', value }],
});

describe('a flag’s answer among all flags', () => {
  const summaryOf = (fields: Partial<Flag>) => {
    const [flag] = compileEnvironment([aFlag(fields)]).flags;
    const json = flag && ofrepSummary(flag, aUser('u1'));
    return json && JSON.parse(json);
  };

  test('says in its metadata only that it is not for an experiment', () => {
    expect(summaryOf({})).toEqual({ key: 'a-flag', value: true, variant: 'on', reason: 'STATIC' });
    const isOff = {
      key: 'a-flag',
      value: false,
      variant: 'off',
      reason: 'STATIC',
      metadata: { sendToExperiment: false },
    };
    expect(summaryOf({ isEnabled: false })).toEqual(isOff);
  });

  test('has the value and reason of its answer alone', () => {
    for (const fields of [
      ofValue('number', '1.0'),
      ofValue('json', 'null'),
      ofValue('json', '{'),
      { isArchived: true },
    ]) {
      const { isFailure: _, metadata: __, ...alone } = answerOf(fields) ?? {};
      const { metadata: ___, ...among } = summaryOf(fields) ?? {};
      expect(among).toEqual(alone);
    }
  });
});

describe('a flag’s answer', () => {
  test('has value, variant, reason, and what a report of it needs', () => {
    expect(answerOf({})).toEqual({
      isFailure: false,
      key: 'a-flag',
      value: true,
      variant: 'on',
      reason: 'STATIC',
      metadata: {
        variationName: 'On',
        matchReason: 'default',
        sendToExperiment: true,
        version: String(Date.parse('2024-01-02T03:04:05.678Z')),
      },
    });
  });

  const isPro = aRule([aCondition('plan', 'Equal', 'pro')], { name: 'flag disabled' });
  const off = { isEnabled: false, rules: [isPro] };
  const halves = { variations: [share('on', 0, 0.5), share('off', 0.5, 1)] };
  test.each<[string, Partial<Flag>, object]>([
    ['off, as every user gets the same', off, { reason: 'STATIC', variant: 'off', value: false }],
    ['targeted', { targetUsers: [{ keyIds: ['u1'], variationId: 'off' }] }, { reason: 'TARGETING_MATCH' }],
    ['matched, whatever the rule’s name', { rules: [isPro] }, { reason: 'TARGETING_MATCH', variant: 'off' }],
    ['split by its fallthrough', { fallthrough: aRollout(...halves.variations) }, { reason: 'SPLIT' }],
    ['split by a rule', { rules: [{ ...isPro, ...halves }] }, { reason: 'SPLIT' }],
    ['the same for all though part of an experiment', { fallthrough: sampled() }, { reason: 'STATIC' }],
    ['matched by no rule', { rules: [aRule([aCondition('plan', 'Equal', 'x')])] }, { reason: 'UNKNOWN' }],
    ['targeted for others', { targetUsers: [{ keyIds: ['u2'], variationId: 'off' }] }, { reason: 'UNKNOWN' }],
  ])('gives the reason if the flag is %s', (_, fields, expected) => {
    expect(answerOf({ exptIncludeAllTargets: false, ...fields })).toMatchObject(expected);
  });

  test('is absent for an archived flag', () => {
    expect(answerOf({ isArchived: true })).toBeUndefined();
  });

  test.each<[string, Partial<Flag>]>([
    ['of an unknown variation', { fallthrough: aRollout(share('gone')) }],
    ['of a rollout that takes nobody', { fallthrough: aRollout() }],
    ['that is null', ofValue('json', 'null')],
    ['while off and of an unknown variation', { isEnabled: false, disabledVariationId: 'gone' }],
  ])('has no value %s: the client’s default counts', (_, fields) => {
    expect(answerOf(fields)).not.toHaveProperty('value');
    expect(answerOf(fields)).toMatchObject({ key: 'a-flag', reason: 'DISABLED', isFailure: false });
  });

  // The rule of Go's provider, v0.1.7, internal/evaluate/flags.go: each Resolve… begins by it. The conformance suite runs the
  // provider itself where there is Go.
  const goValue = ({ reason, value }: { reason: string; value?: unknown }, codeDefault: unknown) =>
    reason === 'DISABLED' ? codeDefault : value;

  test.each<[string, Partial<Flag>, unknown]>([
    ['off', { isEnabled: false }, false],
    ['on', {}, true],
    ['off, of the type json', { ...ofValue('json', '{}'), isEnabled: false, disabledVariationId: 'on' }, {}],
  ])('has its value in Go, whatever the default of the code, of a flag that is %s', (_, fields, value) => {
    expect(goValue(answerOf(fields), 'the default')).toEqual(value);
  });

  test('has the default of the code in Go without a value, also of the type json', () => {
    expect(goValue(answerOf(ofValue('json', 'null')), { a: 1 })).toEqual({ a: 1 });
  });

  test.each<[Flag['variationType'], string, unknown]>([
    ['boolean', 'true', true],
    ['boolean', 'False', false],
    ['string', '', ''],
    ['string', 'true', 'true'],
    ['string', '"\\\u2028', '"\\\u2028'],
    ['number', '42', 42],
    ['number', ' -0.5e3 ', -500],
    ['number', '007', 7],
    ['number', '-.5', -0.5],
    ['number', '5.', 5],
    ['json', '{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['json', '\n[1, 2]', [1, 2]],
    ['json', 'false', false],
  ])('converts the type %s with the value %j to %j', (type, text, value) => {
    expect(answerOf(ofValue(type, text))).toMatchObject({ value });
  });

  test.each<[Flag['variationType'], string]>([
    ['number', '1.0'],
    ['number', '12345678901234567890'],
    ['json', '{"id": 9007199254740993, "10": 1.0, "2": [-0, 1e300, 1e-400]}'],
  ])('keeps the type %s with the value %s as it is written', (type, text) => {
    const [flag] = compileEnvironment([aFlag(ofValue(type, text))]).flags;
    expect(flag && ofrepAnswer(flag, aUser('u1'))).toMatchObject({
      json: expect.stringContaining(`,"value":${text}}`),
    });
    expect(flag && ofrepSummary(flag, aUser('u1'))).toContain(`,"value":${text}}`);
  });

  test.each<[Flag['variationType'], string]>([
    ['boolean', 'yes'],
    ['boolean', ''],
    ['number', 'NaN'],
    ['number', ''],
    ['number', '1e999'],
    ['json', '{"a": [1e999]}'],
    ['number', '0x10'],
    ['json', '{"a":'],
    ['json', ''],
  ])('is a failure that names the variation for the type %s with the value %j', (type, text) => {
    expect(answerOf(ofValue(type, text))).toEqual({
      isFailure: true,
      key: 'a-flag',
      errorCode: 'PARSE_ERROR',
      errorDetails: `the value of variation "on" is not of the flag's type, ${type}`,
    });
  });
});

describe('the answer to a context without a targeting key', () => {
  const halves = aRollout(share('on', 0, 0.5), share('off', 0.5, 1));
  const ofKey = aRule([aCondition('keyId', 'StartsWith', 'u')]);
  const isPro = aRule([aCondition('plan', 'Equal', 'pro')]);
  test.each<[string, Partial<Flag>, string]>([
    ['nobody is a target', { targetUsers: [{ keyIds: ['u1', ''], variationId: 'off' }] }, 'on'],
    ['the flag is off', { isEnabled: false, fallthrough: halves }, 'off'],
    ['a rule on an attribute matches before one on the key', { rules: [isPro, ofKey] }, 'off'],
    ['a rule on an attribute matches before a split', { rules: [isPro], fallthrough: halves }, 'off'],
    ['the split has one variation', { fallthrough: aRollout(share('off', 0, 0), share('on')) }, 'on'],
    ['the split has one variation twice', { fallthrough: aRollout(share('on', 0, 0.3), share('on', 0.3)) }, 'on'],
    ['the split is by an attribute', { fallthrough: { ...halves, dispatchKey: 'plan' } }, 'off'],
    ['the experiment takes a part of its users', { exptIncludeAllTargets: false, fallthrough: sampled() }, 'on'],
  ])('has a value where %s', (_, fields, variant) => {
    expect(answerOf(fields, aUser('', { plan: 'pro' }))).toMatchObject({ variant, value: variant === 'on' });
  });

  test('has nobody without a key in an experiment that takes a part', () => {
    const fields = { exptIncludeAllTargets: false, fallthrough: sampled() };
    expect(answerOf(fields, aUser(''))).toMatchObject({ metadata: { sendToExperiment: false } });
  });

  test.each<[string, Partial<Flag>]>([
    ['a condition on the key is reached', { rules: [ofKey] }],
    ['a negative condition on the key is reached', { rules: [aRule([aCondition('keyId', 'NotEqual', 'u1')])] }],
    ['a split is reached', { fallthrough: halves }],
    ['a split by keyId is reached', { fallthrough: { ...halves, dispatchKey: 'keyId' } }],
    ['a split that leaves users out is reached', { fallthrough: aRollout(share('on', 0, 0.5)) }],
    ['a rule with a split matches', { rules: [{ ...isPro, ...halves }] }],
  ])('is a failure of the flag where %s', (_, fields) => {
    const failure = {
      key: 'a-flag',
      errorCode: 'TARGETING_KEY_MISSING',
      errorDetails: 'flag "a-flag" needs the targeting key for this context; set a targetingKey that is not blank',
    };
    const user = aUser('', { plan: 'pro' });
    expect(answerOf(fields, user)).toEqual(failure);
    const [flag] = compileEnvironment([aFlag(fields)]).flags;
    expect(JSON.parse((flag && ofrepSummary(flag, user)) ?? '')).toEqual(failure);
  });
});

function sampled() {
  return { ...aRollout(share('on', 0, 1, 0.5)), includedInExpt: true };
}
