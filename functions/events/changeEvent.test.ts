import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { IN_SEGMENT } from '../../shared/flags/rule.ts';
import type { RecordedChange, RecordedDocument } from '../../shared/store/history/recordedChange.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../shared/testing/builders.ts';
import { bytesOfEvent, type ChangeDetail, eventsOf } from './changeEvent.ts';

const AT = Date.parse('2026-11-24T10:00:00.000Z');
const envId = 'bd5c9b9e-7d2f-4c55-8f0a-1c4d5e6f7a8b';
const off = aFlag({ key: 'f', name: 'A flag', isEnabled: false });
const on = { ...off, isEnabled: true };

function aChange(documents: Partial<RecordedDocument>[], fields: Partial<RecordedChange> = {}): RecordedChange {
  const flag = { kind: 'flag', id: 'f', updatedAt: AT, previous: AT - 1_000, before: off, after: on } as const;
  return {
    environment: { id: envId, name: 'production', isProduction: true },
    version: AT + 1,
    change: AT,
    previous: AT - 1_000,
    previousAt: AT - 1_000,
    at: AT + 5,
    by: 'ann@laptop',
    command: 'flags on f (go)',
    documents: documents.map((each) => ({ ...flag, ...each })),
    ...fields,
  };
}

const detailsOf = (change: RecordedChange, segmentName = (id: string) => id): ChangeDetail[] =>
  eventsOf(change, segmentName).map(({ detail }) => JSON.parse(detail));

describe('a change event', () => {
  test('says who changed what, when, how, and how to undo it', () => {
    const [event] = eventsOf(aChange([{}]), (id) => id);
    expect(event).toMatchObject({ source: 'flagwire', detailType: 'Flag Changed', time: AT + 5 });
    expect(JSON.parse(event?.detail ?? '')).toEqual({
      id: `${envId}/${AT}`,
      environment: { id: envId, name: 'production', isProduction: true },
      kind: 'flag',
      key: 'f',
      name: 'A flag',
      action: 'turned on',
      version: '2026-11-24T10:00:00.000Z',
      previousVersion: '2026-11-24T09:59:59.000Z',
      change: '2026-11-24T10:00:00.000Z',
      at: '2026-11-24T10:00:00.005Z',
      by: 'ann@laptop',
      command: 'flags on f (go)',
      summary: 'Switch: off → on',
      undo: 'flags undo 2026-11-24T10:00:00.000Z --env production',
      before: off,
      after: on,
    });
  });

  test('names an environment by its id in a command if its name needs quotes', () => {
    const environment = { id: envId, name: "it's; rm", isProduction: false };
    expect(detailsOf(aChange([{}], { environment }))).toMatchObject([
      { undo: `flags undo 2026-11-24T10:00:00.000Z --env ${envId}` },
    ]);
  });

  test('has no state before if the document is new, and says if it is deleted', () => {
    const segment = aSegment({ name: 'Staff' });
    const change = aChange([
      { kind: 'segment', id: 's', previous: undefined, before: undefined, after: segment },
      { after: { ...off, isArchived: true, isDeleted: true } },
    ]);
    expect(eventsOf(change, (id) => id).map(({ detailType }) => detailType)).toEqual([
      'Segment Changed',
      'Flag Changed',
    ]);
    expect(detailsOf(change)).toMatchObject([
      {
        kind: 'segment',
        key: 's',
        name: 'Staff',
        action: 'created',
        summary: 'created',
        previousVersion: null,
        before: null,
      },
      { action: 'deleted', summary: 'deleted' },
    ]);
  });

  test('names segments in its summary', () => {
    const rule = aRule([aCondition(IN_SEGMENT, null, '["s"]')]);
    const change = aChange([
      {
        before: { ...off, rules: [aRule([])] },
        after: { ...off, rules: [rule] },
      },
    ]);
    const [detail] = detailsOf(change, (id) => `the segment ${id.toUpperCase()}`);
    expect(detail?.summary).toMatch(/Rule “Rule 1”.*the segment S/);
  });

  test('has a summary of bounded length', () => {
    const variations = Array.from({ length: 500 }, (_, n) => ({ id: `${n}`, name: '', value: 'v'.repeat(1_000) }));
    const [detail] = detailsOf(aChange([{ after: { ...on, variations, description: 'd'.repeat(10_000) } }]));
    expect(detail?.summary.length).toBeLessThan(20 * 700);
    expect(detail?.summary).toMatch(/and \d+ more$/);
  });

  test('leaves out the documents if they exceed the size of a request', () => {
    const large = { ...on, description: randomBytes(70_000).toString('hex') };
    const [whole] = detailsOf(aChange([{ after: large }]));
    expect(whole).toMatchObject({ after: large });
    expect(whole).not.toHaveProperty('isTruncated');
    const [event] = eventsOf(aChange([{ before: large, after: { ...large, isEnabled: false } }]), (id) => id);
    const detail = JSON.parse(event?.detail ?? '');
    expect(detail).toMatchObject({ isTruncated: true, action: 'turned off', summary: 'Switch: on → off' });
    expect(detail).not.toHaveProperty('before');
    expect(detail).not.toHaveProperty('after');
    expect(event && bytesOfEvent(event)).toBeLessThan(10_000);
  });
});
