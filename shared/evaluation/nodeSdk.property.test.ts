import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { replyTo } from '../delivery/reply.ts';
import { NOT_IN_SEGMENT } from '../flags/rule.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { aCondition, aFlag, aRollout, aRule, aUser, share } from '../testing/builders.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { NodeSdk, type SdkResult } from '../testing/nodeSdk.ts';
import { type EvaluationCase, NODE_SDK_DEVIATIONS } from '../testing/nodeSdkDeviations.ts';
import type { Evaluation } from './outcome.ts';
import type { Snapshot } from './snapshot.ts';

const FLAGS = 10_000;
const FLAGS_A_RUN = 20;
const USERS_A_RUN = 10;

/** The real SDK with an environment in this service's message. */
function sdkOf(snapshot: Snapshot): NodeSdk {
  return new NodeSdk(replyTo(snapshot, 'server', { timestamp: 0 }).text());
}

/** The deviations that explain a case, by name. Those about experiments are separate. */
function deviationsOf(test: EvaluationCase) {
  const names = (affects: string) =>
    NODE_SDK_DEVIATIONS.filter((deviation) => deviation.affects === affects && deviation.applies(test)).map(
      ({ name }) => name,
    );
  return { result: names('result'), experiment: names('experiment') };
}

const agree = (sdks: SdkResult | undefined, ours: Evaluation) =>
  sdks?.value === ours.value && sdks.variationId === ours.variationId;

/** The service's and the SDK's results for a case. */
async function bothResults({ flag, segments, user }: EvaluationCase) {
  const snapshot = compileEnvironment([flag], { segments });
  return {
    ours: snapshot.flags[0]?.evaluate(user) as Evaluation,
    sdks: await sdkOf(snapshot).evaluate(flag.key, user),
  };
}

const asking = (property: string, op: string | null, value: string | null): EvaluationCase => ({
  flag: aFlag({ rules: [aRule([aCondition(property, op, value)])] }),
  user: aUser('u1', { phone: '555-0100', amount: '22abc', limit: 'Infinity', plan: 'pro' }),
  segments: [],
});

const serving = (flag: Parameters<typeof aFlag>[0]): EvaluationCase => ({
  flag: aFlag({ exptIncludeAllTargets: false, ...flag }),
  user: aUser('u1'),
  segments: [],
});

/** For each deviation by name, cases that only it explains. The SDK and the server differ on each. */
const EXAMPLES: Readonly<Record<string, readonly EvaluationCase[]>> = {
  'archived flags are evaluated': [serving({ isArchived: true })],
  'a condition has another result': [
    asking('phone', 'MatchRegex', '^555'),
    asking('phone', 'NotMatchRegex', '^555'),
    asking('amount', 'BiggerThan', '9'),
    asking('limit', 'LessEqualThan', 'Infinity'),
    asking('gone', 'NotContain', 'x'),
    asking('gone', 'Equal', ''),
    asking('gone', 'IsOneOf', '[""]'),
    asking(' ', 'StartsWith', 'x'),
    asking('plan', 'NotOneOf', 'null'),
    asking('plan', 'NotOneOf', '[1]'),
    asking('plan', 'IsOneOf', '"professional"'),
  ],
  'a rollout by a missing attribute hashes "undefined"': [
    serving({ fallthrough: { ...aRollout(share('on', 0, 0.5), share('off', 0.5, 1)), dispatchKey: 'gone' } }),
  ],
  'a name that was not sent is empty': [asking('name', 'NotEqual', 'bob'), asking('name', 'Equal', '')],
  'a list of segments may hold anything': [asking(NOT_IN_SEGMENT, null, '[1]')],
  'an unknown variation throws or is malformed': [
    serving({ fallthrough: aRollout(share('gone')) }),
    serving({ targetUsers: [{ keyIds: ['u1'], variationId: 'gone' }] }),
    serving({ isEnabled: false, disabledVariationId: 'gone' }),
  ],
  'rules sample experiments by the fallthrough’s setting': [
    serving({ rules: [aRule([], { includedInExpt: true })] }),
    serving({ rules: [aRule([])], fallthrough: { ...aRollout(share('on')), includedInExpt: true } }),
  ],
  'nobody’s bucket makes no event': [serving({ fallthrough: aRollout(), exptIncludeAllTargets: true })],
};

describe('FeatBit’s Node SDK, evaluating our documents', () => {
  test('agrees on every case that no known deviation explains, and these are most', async () => {
    const met = new Map<string, number>();
    const seen = { cases: 0, result: 0, experiment: 0 };
    const run = fc.asyncProperty(
      documentsArbitrary(FLAGS_A_RUN),
      fc.array(userArbitrary, { minLength: USERS_A_RUN, maxLength: USERS_A_RUN }),
      async ({ flags, segments }, users) => {
        const snapshot = compileEnvironment(flags, { segments });
        const sdk = sdkOf(snapshot);
        for (const compiled of snapshot.flags) {
          const flag = compiled.document;
          for (const user of users) {
            const deviations = deviationsOf({ flag, user, segments });
            for (const name of Object.values(deviations).flat()) met.set(name, (met.get(name) ?? 0) + 1);
            seen.cases += 1;
            if (deviations.result.length > 0) continue;

            const ours = compiled.evaluate(user);
            const sdks = await sdk.evaluate(flag.key, user);
            seen.result += 1;
            if (!agree(sdks, ours)) throw new Error(`${flag.key} differs: ${JSON.stringify({ ours, sdks })}`);
            if (deviations.experiment.length > 0) continue;
            seen.experiment += 1;
            if (sdks?.sendToExperiment !== ours.sendToExperiment)
              throw new Error(`the experiment of ${flag.key} differs`);
          }
        }
      },
    );
    await fc.assert(run, { numRuns: FLAGS / FLAGS_A_RUN });

    expect(seen.cases).toBe(FLAGS * USERS_A_RUN);
    expect(seen.result / seen.cases).toBeGreaterThan(0.7);
    expect(seen.experiment / seen.cases).toBeGreaterThan(0.5);
    expect([...met.keys()].sort()).toEqual(NODE_SDK_DEVIATIONS.map(({ name }) => name).sort());
  }, 60_000);

  test.each(NODE_SDK_DEVIATIONS)('differs because $name', async ({ name, affects }) => {
    const examples = EXAMPLES[name] ?? [];
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      const { ours, sdks } = await bothResults(example);
      expect(deviationsOf(example)[affects]).toEqual([name]);
      if (affects === 'result') expect(agree(sdks, ours)).toBe(false);
      else expect(sdks?.sendToExperiment).not.toBe(ours.sendToExperiment);
    }
  });
});
