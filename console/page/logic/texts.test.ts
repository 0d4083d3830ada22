import { describe, expect, test } from '@jest/globals';
import { ago, formatTime, formatZoned } from '../../ui/zoned.ts';
import { aFlag, aSegment } from '../testing/documents.ts';
import { eventSign, formatEvent, sdkName } from './liveEventText.ts';
import { problemsOf, problemText } from './problems.ts';
import { formatRoute, parseRoute } from './route.ts';

test('formats how long ago something was', () => {
  const at = (seconds: number) => ago(0, seconds * 1_000);
  expect([0, 9, 59, 60, 119, 7_200, 90_000, 40_000_000].map(at)).toEqual([
    'just now',
    'just now',
    'seconds ago',
    '1 minute ago',
    '1 minute ago',
    '2 hours ago',
    '1 day ago',
    '1 year ago',
  ]);
});

test('formats times with 24 hours, and dates as people write them', () => {
  const at = new Date(2030, 0, 31, 15, 4, 5).getTime();
  expect([formatTime(at), formatTime(at, 'short')]).toEqual(['15:04:05', '15:04']);
  expect(formatZoned(at)).toBe('31 Jan 2030 15:04');
});

describe('an address', () => {
  test('says where somebody is, whatever a flag is called', () => {
    for (const id of ['a.b', '../x', 'ä/%', 'a?b', undefined]) {
      for (const query of ['q=a%3Fb&state=on', undefined]) {
        const route = { envId: 'env 1', view: 'flags' as const, ...(id ? { id } : {}), ...(query ? { query } : {}) };
        expect(parseRoute(formatRoute(route))).toEqual(route);
      }
    }
  });
  test('leads to the overview if it names no view', () => {
    for (const text of ['', '#', '#/', '#main', '#/%zz/nothing/x', '#/env/nothing?q=x']) {
      expect(parseRoute(text)).toMatchObject({ view: 'overview' });
    }
    expect(parseRoute('#/env/nothing?q=x')).not.toHaveProperty('query');
  });
});

test('formats an event in one line', () => {
  const named = { at: 0, connection: 'c', kind: 'server' as const, sdk: 'node/1' };
  expect(formatEvent({ ...named, type: 'opened' })).toBe('server SDK (node/1) connected');
  expect(formatEvent({ ...named, type: 'closed', afterMs: 6_000, code: 1006 })).toBe(
    'server SDK (node/1) disconnected after 6 s (code 1006, connection lost)',
  );
  expect(formatEvent({ type: 'sync', at: 0, connection: 'c', user: 'u1', flags: 1, segments: 2, ms: 3 })).toBe(
    'sync u1: 1 flag, 2 segments in 3 ms',
  );
  expect(formatEvent({ type: 'sync', at: 0, connection: 'c', user: '', flags: 0, segments: 0, ms: 3 })).toBe(
    'sync server: nothing new in 3 ms',
  );
  expect(formatEvent({ type: 'push', at: 0, document: 'f', version: 1, reached: 2, ms: 68 })).toBe(
    'push f to 2 in 68 ms',
  );
  expect(eventSign({ type: 'left-out', count: 3 })).toBe('…');
  expect(sdkName({ kind: 'client', sdk: 'a browser' })).toBe('client SDK: a browser');
  expect(sdkName({ kind: 'server', sdk: '' })).toBe('server SDK without a name (for example Node)');
});

test('a problem is placed as people count', () => {
  const problem = { path: 'rules[0].conditions[1].value', message: 'is not a number', severity: 'warning' as const };
  expect(problemText(problem)).toBe('Rule 1, condition 2, value: is not a number');
  expect(problemText({ ...problem, path: '' })).toBe('Is not a number');
});

test('finds problems of a document both when it is read and when it is compiled', () => {
  const rule = { id: 'r', name: 'r', conditions: [{ property: 'age', op: 'MatchRegex', value: '(' }] };
  expect(problemsOf({ kind: 'segment', document: aSegment({ rules: [rule] }) }, [aSegment()])).toMatchObject([
    { path: 'rules[0].conditions[0]', severity: 'warning' },
  ]);
  expect(problemsOf({ kind: 'flag', document: { ...aFlag(), variations: [] } }, [])).toContainEqual({
    path: 'variations',
    message: 'must have at least one variation',
    severity: 'error',
  });
  expect(problemsOf({ kind: 'flag', document: aFlag() }, [])).toEqual([]);
  const served = { ...rule, dispatchKey: null, includedInExpt: false, variations: [] };
  for (const isEnabled of [true, false]) {
    expect(problemsOf({ kind: 'flag', document: aFlag({ isEnabled, rules: [served] }) }, [])).toContainEqual(
      expect.objectContaining({ severity: 'warning', path: 'rules[0].conditions[0]' }),
    );
  }
});
