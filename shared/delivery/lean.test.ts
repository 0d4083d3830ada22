import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseFlag } from '../flags/flag.ts';
import { parseSegment } from '../flags/segment.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { compileEnvironment, resultsByKey } from '../testing/evaluate.ts';
import { accepted, benchmarkDocuments, parseDocuments } from '../testing/fixtures.ts';
import { NodeSdk } from '../testing/nodeSdk.ts';
import { runs } from '../testing/runs.ts';
import { formatReply, type ReplyFormat, serverFormat } from './format.ts';
import { selectSince } from './selection.ts';

const whole = serverFormat('any');
const lean = whole.lean as ReplyFormat;

test('keeps the fields of a flag that some SDK reads, and those that decide', () => {
  const extras = { creatorId: 'c', updatorId: 'u', revision: 'r', createdAt: '2024-01-01T00:00:00.000Z' };
  const rule = aRule([aCondition('age', 'BiggerThan', '22')]);
  const flag = { ...aFlag({ description: 'long', tags: ['t'], rules: [rule] }), ...extras };
  const targetUsers = [{ keyIds: ['u1'], variationId: 'off' }];
  const [compiled] = compileEnvironment([{ ...flag, targetUsers }]).flags;
  const { id: _rule, conditions: _conditions, ...rollout } = rule;
  expect(JSON.parse((compiled as NonNullable<typeof compiled>).leanJson)).toEqual({
    id: flag.id,
    key: 'a-flag',
    name: 'A flag',
    variationType: 'boolean',
    variations: [
      { id: 'on', value: 'true' },
      { id: 'off', value: 'false' },
    ],
    targetUsers,
    rules: [{ ...rollout, conditions: [{ property: 'age', op: 'BiggerThan', value: '22' }] }],
    isEnabled: true,
    disabledVariationId: 'off',
    fallthrough: flag.fallthrough,
    exptIncludeAllTargets: true,
    updatedAt: '2024-01-02T03:04:05.678Z',
    isArchived: false,
  });
});

test('a segment keeps who belongs to it', () => {
  const rules = [{ id: 'r', name: 'n', conditions: [aCondition('age', 'BiggerThan', '22')] }];
  const segment = aSegment({ description: 'long', included: ['a'], excluded: ['b'], rules });
  const [compiled] = compileEnvironment([], { segments: [segment] }).segments;
  expect(JSON.parse((compiled as NonNullable<typeof compiled>).leanJson)).toEqual({
    id: 'a-segment',
    included: ['a'],
    excluded: ['b'],
    rules: [{ conditions: [{ property: 'age', op: 'BiggerThan', value: '22' }] }],
    updatedAt: '2024-01-02T03:04:05.678Z',
    isArchived: false,
  });
});

test('evaluates as the whole documents do, here and in FeatBit’s Node SDK', async () => {
  const law = fc.asyncProperty(documentsArbitrary(8), userArbitrary, async ({ flags, segments }, user) => {
    const snapshot = compileEnvironment(flags, { segments });
    const again = compileEnvironment(
      snapshot.flags.map((flag) => accepted(parseFlag(JSON.parse(flag.leanJson)))),
      { segments: snapshot.segments.map((segment) => accepted(parseSegment(JSON.parse(segment.leanJson)))) },
    );
    expect(resultsByKey(again, user)).toEqual(resultsByKey(snapshot, user));
    const selection = selectSince(snapshot, 'server', 0);
    const [sdk, leanSdk] = [whole, lean].map((format) => new NodeSdk(formatReply(selection, format)));
    for (const { key } of flags) expect(await leanSdk?.evaluate(key, user)).toEqual(await sdk?.evaluate(key, user));
  });
  await fc.assert(law, { numRuns: runs(100) });
});

test('saves a fifth and more of FeatBit’s benchmark documents', () => {
  const { flags, segments } = parseDocuments(benchmarkDocuments());
  const selection = selectSince(compileEnvironment(flags, { segments }), 'server', 0);
  const bytes = (format: ReplyFormat) => Buffer.byteLength(formatReply(selection, format));
  expect(bytes(lean) / bytes(whole)).toBeLessThan(0.8);
});
