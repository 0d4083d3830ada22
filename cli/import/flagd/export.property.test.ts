import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Document } from '../../../shared/flags/document.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import type { User } from '../../../shared/flags/user.ts';
import { documentsArbitrary } from '../../../shared/testing/arbitraries/environment.ts';
import { userArbitrary } from '../../../shared/testing/arbitraries/user.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { longRuns } from '../../../shared/testing/runs.ts';
import { flagdWith } from '../../testing/evaluators/flagd.ts';
import { exportToFlagd } from './export.ts';
import { importFromFlagd } from './import.ts';

const RUNS = longRuns(300);
const FLAGS_A_RUN = 20;
const USERS_A_RUN = 10;

/** The context that OFREP clients send for a user. */
const contextOf = ({ keyId, name, attributes }: User) => ({
  ...Object.fromEntries(attributes),
  ...(name === null ? {} : { name }),
  targetingKey: keyId,
});

const documentsOf = (flags: readonly Flag[], segments: readonly Segment[]): Document[] => [
  ...segments.map((document) => ({ kind: 'segment' as const, document })),
  ...flags.map((document) => ({ kind: 'flag' as const, document })),
];

/** Whether a user has text in an attribute that conditions compare with numbers. */
const hasNoNumber = ({ attributes }: User) =>
  ['age', 'score'].some((name) => Number.isNaN(Number(attributes.get(name) ?? '')));

/** An environment whose flags are of type string, so that any value is valid. */
const environment = documentsArbitrary(FLAGS_A_RUN).map(({ flags, segments }) => ({
  flags: flags.map((flag): Flag => ({ ...flag, variationType: 'string' })),
  segments,
}));
const users = fc.array(userArbitrary, { minLength: USERS_A_RUN, maxLength: USERS_A_RUN });

describe('flagd’s own evaluator', () => {
  test('gives each user our value, for all flags that are exported without a difference', () => {
    const seen = { flags: 0, exported: 0, same: 0 };
    fc.assert(
      fc.property(environment, users, ({ flags, segments }, asking) => {
        const { file, leftOut, differences } = exportToFlagd(documentsOf(flags, segments));
        const flagd = flagdWith(file);
        const archived = flags.filter(({ isArchived }) => isArchived).length;
        expect(Object.keys(file.flags).length + leftOut.length + archived).toBe(FLAGS_A_RUN);
        const differs = (key: string, how: string) => differences.some((text) => text.startsWith(`${key}: ${how}`));
        seen.flags += FLAGS_A_RUN;
        seen.exported += Object.keys(file.flags).length;
        for (const compiled of compileEnvironment(flags, { segments }).flags) {
          const { key } = compiled.document;
          if (!(key in file.flags) || differs(key, 'has a percentage rollout')) continue;
          for (const user of asking) {
            if (differs(key, 'compares numbers') && hasNoNumber(user)) continue;
            const ours = compiled.evaluate(user).value;
            const theirs = flagd.resolveStringEvaluation(key, 'no value', contextOf(user));
            seen.same++;
            const report = { key, ours, theirs, context: contextOf(user), file };
            if (theirs.value !== ours) throw new Error(JSON.stringify(report));
          }
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen.exported / seen.flags).toBeGreaterThan(0.6);
    expect(seen.same).toBeGreaterThan(30 * RUNS);
  }, 120_000);
});

test('gives each user the same after export and import, percentages included', () => {
  const seen = { exported: 0, imported: 0 };
  fc.assert(
    fc.property(environment, users, ({ flags, segments }, asking) => {
      const { file } = exportToFlagd(documentsOf(flags, segments));
      const translation = importFromFlagd(JSON.parse(JSON.stringify(file)));
      const again = translation.flags;
      seen.exported += Object.keys(file.flags).length;
      seen.imported += again.length;
      const before = new Map(compileEnvironment(flags, { segments }).flags.map((flag) => [flag.document.key, flag]));
      for (const flag of compileEnvironment(again).flags) {
        // Here, a negated comparison never matches text that is not a number.
        const isNumeric = translation
          .differencesOf(flag.document.key)
          .some(({ scope }) => scope?.kind === 'attribute' && scope.values.includes('other text'));
        for (const user of asking) {
          if (isNumeric && hasNoNumber(user)) continue;
          const [ours, theirs] = [before.get(flag.document.key)?.evaluate(user).value, flag.evaluate(user).value];
          const report = {
            ours,
            theirs,
            context: contextOf(user),
            before: before.get(flag.document.key)?.document,
            file,
          };
          if (ours !== theirs) throw new Error(JSON.stringify(report));
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(seen.imported / seen.exported).toBeGreaterThan(0.8);
}, 120_000);
