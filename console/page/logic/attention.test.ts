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
  test('that are well need nothing', () => {
    const all = [flag({ rules: [inSegments('beta-id')] }), segment({ id: 'beta-id' })];
    expect(documentLines(contentOf(all))).toEqual([]);
  });

  test('with a condition that cannot be compiled are named, with its place', () => {
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
    'with a key of all JavaScript objects are named, as %j too',
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

  test('that no message can carry, or that use such a segment, are named', () => {
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

  test('that refer to a segment that is missing or archived are named once', () => {
    const all = [
      flag({ key: 'f', rules: [inSegments('gone', 'old'), inSegments('gone')] }),
      segment({ id: 'old', name: 'Old', isArchived: true }),
    ];
    expect(documentLines(contentOf(all)).map(({ text }) => text)).toEqual([
      'Flag f refers to a segment that does not exist: gone',
      'Flag f refers to an archived segment: Old',
    ]);
  });

  test('that refer to a deleted segment are named with its name, and with what to do', () => {
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

  test('that are archived need nothing', () => {
    const rules = [{ id: 'r', name: 'r', conditions: [broken] }];
    const all = [flag({ rules: [inSegments('gone')], isArchived: true }), segment({ rules, isArchived: true })];
    expect(documentLines(contentOf(all))).toEqual([]);
  });

  test('that cannot be read are named, and why', () => {
    const problems = [{ path: 'key', message: 'must be text', severity: 'error' as const }];
    expect(documentLines(contentOf([], [{ kind: 'flag', id: 'f', version: 1, problems }]))).toEqual([
      { kind: 'problem', text: 'The flag f cannot be read, so no SDK gets it', detail: 'key: must be text' },
    ]);
  });
});

describe('the deployment', () => {
  const well: Attention = {
    at: 1,
    connections: { kind: 'read', value: { unanswered: 0, behind: 0, isAtLeast: false } },
    alarms: { kind: 'read', value: { total: 10, firing: [] } },
  };
  const lines = (changed: Partial<Attention>) => deploymentLines({ attention: { ...well, ...changed } });

  test('that is well needs nothing, here and on AWS, and before it was asked', () => {
    expect(lines({})).toEqual([]);
    expect(lines({ alarms: { kind: 'absent' }, connections: { kind: 'absent' } })).toEqual([]);
    expect(deploymentLines(undefined)).toEqual([]);
  });

  test('of another version says that, also before and after it was asked', () => {
    const line = { kind: 'problem', text: 'Flagwire 1.0.0 is deployed' };
    for (const asked of [undefined, { attention: well }, { failure: 'the server is gone' }]) {
      expect(deploymentLines(asked, line.text)[0]).toEqual(line);
    }
  });

  test('with connections that lack something says how many, and what that means', () => {
    const value = { unanswered: 1, behind: 2, isAtLeast: false };
    const all = lines({ connections: { kind: 'read', value } });
    expect(all.map(({ text }) => text)).toEqual(['1 connection without flags', '2 connections behind']);
    expect(all.every(({ detail, at }) => detail && at && 'view' in at && at.view === 'live')).toBe(true);
  });

  test('of whose connections only some were looked at says that, also where none of these lacks anything', () => {
    const connections = (unanswered: number) =>
      ({ kind: 'read', value: { unanswered, behind: 0, isAtLeast: true } }) as const;
    const some = { kind: 'unread', text: 'There are more connections than are looked at: only some were checked.' };
    expect(lines({ connections: connections(0) })).toEqual([some]);
    expect(lines({ connections: connections(1) })).toMatchObject([
      some,
      { text: 'At least 1 connection without flags' },
    ]);
  });

  test('with an alarm says its name, what to do, since when, and links to it', () => {
    const url = 'https://eu-west-1.console.aws.amazon.com/cloudwatch/home';
    const firing = [{ name: 'cost-rate', meaning: 'It costs too much.', url, since: 7 }];
    expect(lines({ alarms: { kind: 'read', value: { total: 10, firing } } })).toEqual([
      { kind: 'problem', text: 'Alarm cost-rate', detail: 'It costs too much.', at: { url }, since: 7 },
    ]);
  });

  test('says for each source that it could not be read, or is not there', () => {
    const refused = { kind: 'unread', reason: 'no permission for x' } as const;
    expect(lines({ connections: refused, alarms: refused })).toEqual([
      { kind: 'unread', text: 'Connections were not checked: no permission for x' },
      { kind: 'unread', text: 'CloudWatch alarms were not checked: no permission for x' },
    ]);
    expect(lines({ alarms: { kind: 'read', value: { total: 0, firing: [] } } })).toMatchObject([{ kind: 'unread' }]);
    expect(deploymentLines({ failure: 'the server is gone' })).toEqual([
      { kind: 'unread', text: 'Connections and alarms were not checked: the server is gone' },
    ]);
  });
});
