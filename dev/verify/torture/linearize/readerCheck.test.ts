import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Fault } from './faults.ts';
import { markedValue } from './items.ts';
import { ReaderCheck } from './readerCheck.ts';
import { PUSH_MS } from './readerState.ts';
import { findLost } from './sessions.ts';
import { WriteLog } from './writeLog.ts';

const GRACE_MS = 10_000;
const red = { keyId: 'u', group: 'red' };
const blue = { keyId: 'u', group: 'blue' };
const other = { keyId: 'v', group: 'red' };

let writes: WriteLog;
let faults: Fault[];
let clock: number;
let isSlow: boolean;
const report = (fault: Fault) => void faults.push(fault);

beforeEach(() => {
  writes = new WriteLog();
  faults = [];
  clock = 0;
  isSlow = false;
});

const checkOf = (type: 'client' | 'server', graceMs = GRACE_MS) =>
  new ReaderCheck({ name: 'reader', type, writes, graceMs, wasSlow: () => isSlow, report });

/** A write that is acknowledged: the mark is made of name and version. */
function write(name: string, version: number): void {
  const mark = `${name}@${version}`;
  writes.begin(mark);
  writes.acknowledge([{ name: `flag:${name}`, version, mark, json: {} }], ++clock);
}

const iso = (version: number) => new Date(version).toISOString();

/** A data-sync to a server-side SDK, of flags by name and version. */
const toServer = (eventType: string, flags: readonly (readonly [string, number])[]) =>
  JSON.stringify({
    messageType: 'data-sync',
    data: {
      eventType,
      segments: [],
      featureFlags: flags.map(([key, version]) => ({
        key,
        updatedAt: iso(version),
        variations: [{ value: markedValue(`${key}@${version}`, 'red') }],
      })),
    },
  });

/** A data-sync to a client-side SDK, evaluated for a user. */
const toClient = (eventType: string, user: typeof red, flags: readonly (readonly [string, number])[]) =>
  JSON.stringify({
    messageType: 'data-sync',
    data: {
      eventType,
      userKeyId: user.keyId,
      featureFlags: flags.map(([id, version]) => ({
        id,
        timestamp: version,
        variation: markedValue(`${id}@${version}`, user.group),
      })),
    },
  });

/** What comes next, each a millisecond after the other. */
function receive(check: ReaderCheck, ...texts: string[]): void {
  for (const text of texts) check.receive(++clock, text);
}

/** Ends the connection, and looks for what never came. */
function end(check: ReaderCheck, after = 0): Fault[] {
  clock += after;
  check.disconnect(clock);
  findLost(check.sessions, writes.acknowledged, PUSH_MS, report);
  return faults;
}

describe('a server-type reader', () => {
  let check: ReaderCheck;
  beforeEach(() => {
    check = checkOf('server');
    write('a', 1_000);
    write('b', 2_000);
    expect(check.ask(++clock, undefined)).toBe(0);
  });
  const full = toServer('full', [
    ['a', 1_000],
    ['b', 2_000],
  ]);

  test('that is sent everything once, in order, and comes back with its cursor: nothing is found', () => {
    receive(check, full);
    write('a', 3_000);
    receive(check, toServer('patch', [['a', 3_000]]), '{"messageType":"pong","data":{}}');
    check.disconnect(++clock);
    write('b', 4_000);
    expect(check.ask(++clock, undefined)).toBe(3_000);
    receive(check, toServer('patch', [['b', 4_000]]));
    check.disconnect(++clock);
    expect(check.ask(++clock, undefined)).toBe(4_000);
    receive(check, toServer('patch', []));
    expect(end(check, 2 * PUSH_MS)).toEqual([]);
    expect(check.counts).toEqual({ syncs: 3, pushes: 1, leftovers: 0, repeats: 0 });
  });

  test('a write that is acknowledged after the data-sync was sent may be missing from its answer', () => {
    write('a', 3_000);
    receive(check, full, toServer('patch', [['a', 3_000]]));
    expect(end(check)).toEqual([]);
  });

  test('that asks for everything again on its connection may be sent pushes meanwhile', () => {
    receive(check, full);
    expect(check.ask(++clock, undefined, true)).toBe(0);
    write('a', 3_000);
    write('b', 4_000);
    const all = [
      ['a', 3_000],
      ['b', 4_000],
    ] as const;
    receive(check, toServer('patch', [['a', 3_000]]), toServer('full', all));
    expect(end(check)).toEqual([]);
    expect(check.counts.syncs).toBe(2);
  });

  test.each<[string, Fault, () => void]>([
    [
      'a full that goes back when it asks for everything again',
      'out of order',
      () => {
        write('b', 3_000);
        receive(check, full, toServer('patch', [['b', 3_000]]));
        isSlow = true;
        check.ask(++clock, undefined, true);
        receive(check, full);
      },
    ],
    ['an answer that lacks an acknowledged flag', 'lost', () => receive(check, toServer('full', [['b', 2_000]]))],
    [
      'an answer older than an acknowledged write',
      'stale',
      () => {
        check.disconnect(++clock);
        write('b', 3_000);
        check.ask(++clock, undefined);
        receive(check, full);
      },
    ],
    [
      'an empty answer where there is something newer',
      'stale',
      () => {
        receive(check, full);
        check.disconnect(++clock);
        write('b', 3_000);
        check.ask(++clock, undefined);
        receive(check, toServer('patch', []));
      },
    ],
    [
      'a push that comes twice',
      'duplicate',
      () => {
        write('a', 3_000);
        receive(check, full, toServer('patch', [['a', 3_000]]), toServer('patch', [['a', 3_000]]));
      },
    ],
    ['a push of what the answer held', 'duplicate', () => receive(check, full, toServer('patch', [['b', 2_000]]))],
    [
      'pushes in the wrong order',
      'out of order',
      () => {
        write('a', 3_000);
        write('b', 4_000);
        receive(check, full, toServer('patch', [['b', 4_000]]), toServer('patch', [['a', 3_000]]));
      },
    ],
    [
      'a full that goes back',
      'out of order',
      () => {
        write('b', 3_000);
        receive(check, full, toServer('patch', [['b', 3_000]]));
        check.disconnect(++clock);
        check.ask(++clock, undefined);
        receive(check, full);
      },
    ],
    ['a full that nobody asked for, with nothing new', 'duplicate', () => receive(check, full, full)],
    [
      'a full that lacks what had come',
      'lost',
      () => {
        write('a', 3_000);
        receive(check, full, toServer('full', [['a', 3_000]]));
      },
    ],
    [
      'a patch of several items',
      'malformed',
      () => {
        write('a', 3_000);
        write('b', 4_000);
        const both = [
          ['a', 3_000],
          ['b', 4_000],
        ] as const;
        receive(check, full, toServer('patch', both));
      },
    ],
    [
      'a version that nobody wrote',
      'malformed',
      () => {
        receive(check, full, toServer('patch', [['a', 9_000]]));
      },
    ],
    [
      'one version with two contents',
      'malformed',
      () => {
        writes.begin('x');
        receive(check, full);
        check.disconnect(++clock);
        check.ask(++clock, undefined);
        receive(check, toServer('patch', [['b', 2_000]]).replace('b@2000', 'x'));
      },
    ],
    ['something that is no JSON', 'malformed', () => receive(check, full, 'Internal server error')],
    ['an object without messageType', 'malformed', () => receive(check, full, '{"message":"Forbidden"}')],
  ])('%s is found to be %s', (_, fault, play) => {
    play();
    expect(end(check)).toContain(fault);
  });

  test('while the table is slow an answer may be old, but may not go back, and what it lacks must follow', () => {
    receive(check, full);
    check.disconnect(++clock);
    write('b', 3_000);
    isSlow = true;
    check.ask(++clock, undefined);
    receive(check, toServer('patch', []));
    write('a', 4_000);
    receive(check, toServer('patch', [['b', 3_000]]), toServer('patch', [['a', 4_000]]));
    expect(faults).toEqual([]);
    check.disconnect(++clock);
    check.ask(++clock, undefined);
    receive(check, full);
    expect(faults).toContain('out of order');
  });

  test('a push before the answer is out of order', () => {
    check.disconnect(++clock);
    check.receive(++clock, toServer('patch', [['a', 1_000]]));
    expect(faults).toEqual(['out of order']);
  });

  test('a change between two that came, and one that did not come for long, are lost', () => {
    receive(check, full);
    write('a', 3_000);
    write('b', 4_000);
    write('a', 5_000);
    receive(check, toServer('patch', [['b', 4_000]]));
    expect(end(check, PUSH_MS - 10)).toEqual(['lost']);
    faults = [];
    findLost(check.sessions, writes.acknowledged, PUSH_MS / 2, report);
    expect(faults).toEqual(['lost', 'lost']);
  });
});

describe('a client-type reader', () => {
  let check: ReaderCheck;
  beforeEach(() => {
    check = checkOf('client');
    write('a', 1_000);
    check.ask(++clock, red);
    receive(check, toClient('full', red, [['a', 1_000]]));
  });

  test('has a cursor for each user, and none for one whose attributes have changed', () => {
    expect(check.ask(++clock, other)).toBe(0);
    receive(check, toClient('full', other, [['a', 1_000]]));
    expect(check.ask(++clock, red)).toBe(1_000);
    receive(check, toClient('patch', red, []));
    expect(check.ask(++clock, blue)).toBe(0);
    receive(check, toClient('full', blue, [['a', 1_000]]));
    expect(end(check)).toEqual([]);
  });

  test('may be sent pushes for the user before until it is answered for the new one', () => {
    check.ask(++clock, blue);
    write('a', 2_000);
    receive(check, toClient('patch', red, [['a', 2_000]]), toClient('full', blue, [['a', 2_000]]));
    expect(end(check, 2 * PUSH_MS)).toEqual([]);
  });

  test.each([
    ['with the same key', blue],
    ['with another key', other],
  ])('a push for the user before, made good soon, is no fault (%s)', (_, next) => {
    check.ask(++clock, next);
    receive(check, toClient('full', next, [['a', 1_000]]));
    write('a', 2_000);
    receive(check, toClient('patch', red, [['a', 2_000]]), toClient('patch', next, [['a', 2_000]]));
    write('a', 3_000);
    receive(check, toClient('patch', next, [['a', 3_000]]));
    expect(end(check, 2 * PUSH_MS)).toEqual([]);
    expect(check.counts.leftovers).toBe(1);
  });

  test('an item that comes again for the new user is no duplicate, but it is for the same user', () => {
    check.ask(++clock, blue);
    receive(check, toClient('full', blue, [['a', 1_000]]), toClient('patch', blue, [['a', 1_000]]));
    expect(faults).toEqual([]);
    clock += GRACE_MS;
    receive(check, toClient('patch', blue, [['a', 1_000]]));
    expect(faults).toEqual(['duplicate']);
  });

  test.each<[string, Fault, () => void]>([
    [
      'a push for the user before that stays',
      'stale',
      () => {
        check.ask(++clock, blue);
        receive(check, toClient('full', blue, [['a', 1_000]]), toClient('patch', red, [['a', 1_000]]));
        clock += PUSH_MS + 1;
      },
    ],
    [
      'a push for a user before with another key, not made good',
      'stale',
      () => {
        check.ask(++clock, other);
        receive(check, toClient('full', other, [['a', 1_000]]));
        write('a', 2_000);
        receive(check, toClient('patch', red, [['a', 2_000]]));
        clock += PUSH_MS + 1;
      },
    ],
    [
      'a push for another user without a change of user',
      'stale',
      () => {
        write('a', 2_000);
        receive(check, toClient('patch', blue, [['a', 2_000]]));
      },
    ],
    [
      'a push for another key without a change of user',
      'stale',
      () => {
        write('a', 2_000);
        receive(check, toClient('patch', other, [['a', 2_000]]));
      },
    ],
    [
      'an answer for another user',
      'stale',
      () => {
        check.disconnect(++clock);
        check.ask(++clock, blue);
        receive(check, toClient('full', red, [['a', 1_000]]));
      },
    ],
    [
      'an older item for the new user',
      'out of order',
      () => {
        write('a', 2_000);
        check.ask(++clock, blue);
        receive(check, toClient('full', blue, [['a', 2_000]]), toClient('patch', blue, [['a', 1_000]]));
      },
    ],
  ])('%s is %s', (_, fault, play) => {
    play();
    expect(end(check)).toContain(fault);
  });

  test('where nothing can be under way, nothing for the user before is let pass', () => {
    const strict = checkOf('client', 0);
    strict.ask(++clock, red);
    receive(strict, toClient('full', red, [['a', 1_000]]));
    strict.ask(++clock, blue);
    receive(strict, toClient('full', blue, [['a', 1_000]]));
    expect(faults).toEqual([]);
    receive(strict, toClient('patch', red, [['a', 1_000]]), toClient('patch', blue, [['a', 1_000]]));
    expect(faults).toContain('stale');
  });
});
