import { describe, expect, test } from '@jest/globals';
import { asDeleted } from '../../../shared/flags/deletion.ts';
import type { Document } from '../../../shared/flags/document.ts';
import { IN_SEGMENT } from '../../../shared/flags/rule.ts';
import { aCondition, aRule } from '../../../shared/testing/builders.ts';
import type { EnvironmentContent, UnreadableDocument } from '../../api.ts';
import type { Attention } from '../../attention.ts';
import { aFlag, aSegment } from '../testing/documents.ts';
import { deploymentLines, documentLines } from './attention.ts';

const contentOf = (documents: readonly Document[], unreadable: readonly UnreadableDocument[] = []) =>
  ({
    documents: documents.map((document) => ({ ...document, version: 1 })),
    unreadable,
  }) as unknown as EnvironmentContent;
const flag = (changed: Parameters<typeof aFlag>[0]) => ({ kind: 'flag' as const, document: aFlag(changed) });
const segment = (changed: Parameters<typeof aSegment>[0]) => ({
  kind: 'segment' as const,
  document: aSegment(changed),
});
const broken = aCondition('age', 'MatchRegex', '(');
const inSegments = (...ids: string[]) => aRule([aCondition(IN_SEGMENT, null, JSON.stringify(ids))]);

describe('flags and segments', () => {
  test('need nothing if they are well', () => {
    const all = [flag({ rules: [inSegments('beta-id')] }), segment({ id: 'beta-id' })];
    expect(documentLines(contentOf(all))).toEqual([]);
  });

  test('are named with the place of a condition that cannot be compiled', () => {
    const ofSegment = [{ id: 'r', name: 'r', conditions: [broken] }];
    const all = [
      flag({ key: 'f', rules: [aRule([]), aRule([aCondition('plan', 'Equal', 'pro'), broken])] }),
      segment({ id: 's', name: 'Beta', rules: ofSegment }),
    ];
    expect(documentLines(contentOf(all))).toEqual([
      {
        kind: 'problem',
        text: expect.stringMatching(/^Segment Beta, rule 1, condition 1 never matches: /),
        at: { view: 'segments', id: 's' },
      },
      {
        kind: 'problem',
        text: expect.stringMatching(/^Flag f, rule 2, condition 2 never matches: /),
        at: { view: 'flags', id: 'f' },
      },
    ]);
  });

  test.each([{}, { isArchived: true }, { isArchived: true, isDeleted: true }])(
    'are named if their key is one of all JavaScript objects, as %j too',
    (end) => {
      expect(documentLines(contentOf([flag({ key: 'toString', ...end }), flag({ key: 'f' })]))).toEqual([
        {
          kind: 'problem',
          text: expect.stringMatching(/^Flag toString is not sent to server-side SDKs: the key is a property of all/),
          at: { view: 'flags', id: 'toString' },
        },
      ]);
    },
  );

  test('are named if no message can carry them, or if they use such a segment', () => {
    const included = Array.from({ length: 6_000 }, (_, n) => `user-${n}`.padEnd(33, '.'));
    const all = [
      flag({ key: 'f', rules: [inSegments('big')] }),
      flag({ key: 'other' }),
      segment({ id: 'big', name: 'Customers', included }),
    ];
    expect(documentLines(contentOf(all)).map(({ text }) => text)).toEqual([
      expect.stringMatching(
        /^Segment Customers is not sent to server-side SDKs on API Gateway: it takes 216\d{3} bytes/,
      ),
      expect.stringMatching(
        /^Flag f is not sent to server-side SDKs on API Gateway: it uses segment "Customers", which/,
      ),
    ]);
  });

  test('are named once if they refer to a segment that is missing or archived', () => {
    const all = [
      flag({ key: 'f', rules: [inSegments('gone', 'old'), inSegments('gone')] }),
      segment({ id: 'old', name: 'Old', isArchived: true }),
    ];
    expect(documentLines(contentOf(all)).map(({ text }) => text)).toEqual([
      'Flag f refers to a segment that does not exist: gone',
      'Flag f refers to an archived segment: Old',
    ]);
  });

  test('are named with a deleted segment that they refer to, and with what to do', () => {
    const deleted = asDeleted(aSegment({ id: 'beta-id', name: 'Beta' }));
    const all = [flag({ key: 'f', rules: [inSegments('beta-id')] }), { kind: 'segment' as const, document: deleted }];
    expect(documentLines(contentOf(all))).toEqual([
      {
        kind: 'problem',
        text: 'Flag f refers to a deleted segment: Beta',
        detail: 'Its users still match. Undo its deletion in the history, or remove it from the rules of the flag.',
        at: { view: 'flags', id: 'f' },
      },
    ]);
  });

  test('need nothing if they are archived', () => {
    const rules = [{ id: 'r', name: 'r', conditions: [broken] }];
    const all = [flag({ rules: [inSegments('gone')], isArchived: true }), segment({ rules, isArchived: true })];
    expect(documentLines(contentOf(all))).toEqual([]);
  });

  test('are named with the reason if they cannot be read', () => {
    const problems = [{ path: 'key', message: 'must be text', severity: 'error' as const }];
    expect(documentLines(contentOf([], [{ kind: 'flag', id: 'f', version: 1, problems }]))).toEqual([
      { kind: 'problem', text: 'The flag f cannot be read, so no SDK gets it', detail: 'key: must be text' },
    ]);
  });
});

describe('the deployment', () => {
  const well: Attention = {
    at: 1,
    alarms: { kind: 'read', value: { total: 10, firing: [] } },
  };
  const lines = (changed: Partial<Attention>) => deploymentLines({ ...well, ...changed });

  test('needs nothing if it is well, here and on AWS, and before it was asked', () => {
    expect(lines({})).toEqual([]);
    expect(lines({ alarms: { kind: 'absent' } })).toEqual([]);
    expect(deploymentLines(undefined)).toEqual([]);
  });

  test('is named if it has another version, also before and after it was asked', () => {
    const line = { kind: 'problem', text: 'Flagwire 1.0.0 is deployed' };
    for (const asked of [undefined, well, { failure: 'the server is gone' }]) {
      expect(deploymentLines(asked, line.text)[0]).toEqual(line);
    }
  });

  test('names an alarm that fires, with its time, a link and what to do', () => {
    const url = 'https://eu-west-1.console.aws.amazon.com/cloudwatch/home';
    const firing = [{ name: 'cost-rate', meaning: 'It costs too much.', url, since: 7 }];
    expect(lines({ alarms: { kind: 'read', value: { total: 10, firing } } })).toEqual([
      { kind: 'problem', text: 'Alarm cost-rate', detail: 'It costs too much.', at: { url }, since: 7 },
    ]);
  });

  test('says for each source that it could not be read, or is not there', () => {
    const refused = { kind: 'unread', reason: 'no permission for x' } as const;
    expect(lines({ alarms: refused })).toEqual([
      { kind: 'unread', text: 'CloudWatch alarms were not checked: no permission for x' },
    ]);
    expect(lines({ alarms: { kind: 'read', value: { total: 0, firing: [] } } })).toMatchObject([{ kind: 'unread' }]);
    expect(deploymentLines({ failure: 'the server is gone' })).toEqual([
      { kind: 'unread', text: 'CloudWatch alarms were not checked: the server is gone' },
    ]);
  });
});
