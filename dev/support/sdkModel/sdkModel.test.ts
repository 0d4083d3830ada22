import { beforeEach, describe, expect, test } from '@jest/globals';
import { groupOf, markedValue, type SdkUser, sdkUser } from './message.ts';
import { SdkModel } from './sdkModel.ts';
import { JS_RULES, STRICT_RULES } from './sdkRules.ts';
import { PUSH_MS } from './sentState.ts';
import { findLost, type Violation } from './sessions.ts';
import { WriteLog } from './writeLog.ts';

const GRACE_MS = 10_000;
const red = sdkUser('u', { group: 'red' });
const blue = sdkUser('u', { group: 'blue' });
const other = sdkUser('v', { group: 'red' });

let writes: WriteLog;
let violations: Violation[];
let clock: number;
let isSlow: boolean;
const report = (violation: Violation) => void violations.push(violation);

beforeEach(() => {
  writes = new WriteLog();
  violations = [];
  clock = 0;
  isSlow = false;
});

const modelOf = (type: 'client' | 'server', graceMs = GRACE_MS) => {
  const rules = type === 'server' ? STRICT_RULES : JS_RULES;
  return new SdkModel(rules, { name: 'reader', writes, graceMs, wasSlow: () => isSlow, report });
};

/** Sends a data-sync. @returns its cursor */
function ask(model: SdkModel, user?: SdkUser, isAnew = false): number {
  model.user = user;
  return JSON.parse(model.request(++clock, isAnew)).data.timestamp;
}

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
const toClient = (eventType: string, user: SdkUser, flags: readonly (readonly [string, number])[]) =>
  JSON.stringify({
    messageType: 'data-sync',
    data: {
      eventType,
      userKeyId: user.keyId,
      featureFlags: flags.map(([id, version]) => ({
        id,
        timestamp: version,
        variation: markedValue(`${id}@${version}`, groupOf(user) ?? ''),
      })),
    },
  });

/** What comes next, each a millisecond after the other. */
function receive(model: SdkModel, ...texts: string[]): void {
  for (const text of texts) model.receive(text, ++clock);
}

/** Ends the connection, and looks for what never came. */
function end(model: SdkModel, after = 0): Violation[] {
  clock += after;
  model.disconnect(clock);
  findLost(model.check.sessions, writes.acknowledged, PUSH_MS, report);
  return violations;
}

describe('a server-side SDK', () => {
  let model: SdkModel;
  beforeEach(() => {
    model = modelOf('server');
    write('a', 1_000);
    write('b', 2_000);
    expect(ask(model)).toBe(0);
  });
  const full = toServer('full', [
    ['a', 1_000],
    ['b', 2_000],
  ]);

  test('may be sent each change once, in order, and what it lacks after a reconnect', () => {
    receive(model, full);
    write('a', 3_000);
    receive(model, toServer('patch', [['a', 3_000]]), '{"messageType":"pong","data":{}}');
    model.disconnect(++clock);
    write('b', 4_000);
    expect(ask(model)).toBe(3_000);
    receive(model, toServer('patch', [['b', 4_000]]));
    model.disconnect(++clock);
    expect(ask(model)).toBe(4_000);
    receive(model, toServer('patch', []));
    expect(end(model, 2 * PUSH_MS)).toEqual([]);
    expect(model.check.counts).toEqual({ syncs: 3, pushes: 1, leftovers: 0, repeats: 0 });
  });

  test('may be answered without a write that was acknowledged after its data-sync', () => {
    write('a', 3_000);
    receive(model, full, toServer('patch', [['a', 3_000]]));
    expect(end(model)).toEqual([]);
  });

  test('may be sent pushes while it asks for everything again', () => {
    receive(model, full);
    expect(ask(model, undefined, true)).toBe(0);
    write('a', 3_000);
    write('b', 4_000);
    const all = [
      ['a', 3_000],
      ['b', 4_000],
    ] as const;
    receive(model, toServer('patch', [['a', 3_000]]), toServer('full', all));
    expect(end(model)).toEqual([]);
    expect(model.check.counts.syncs).toBe(2);
  });

  test.each<[string, Violation, () => void]>([
    [
      'a full that goes back when it asks for everything again',
      'out of order',
      () => {
        write('b', 3_000);
        receive(model, full, toServer('patch', [['b', 3_000]]));
        isSlow = true;
        ask(model, undefined, true);
        receive(model, full);
      },
    ],
    ['an answer that lacks an acknowledged flag', 'lost', () => receive(model, toServer('full', [['b', 2_000]]))],
    [
      'an answer older than an acknowledged write',
      'stale',
      () => {
        model.disconnect(++clock);
        write('b', 3_000);
        ask(model);
        receive(model, full);
      },
    ],
    [
      'an empty answer where there is something newer',
      'stale',
      () => {
        receive(model, full);
        model.disconnect(++clock);
        write('b', 3_000);
        ask(model);
        receive(model, toServer('patch', []));
      },
    ],
    [
      'a push that comes twice',
      'duplicate',
      () => {
        write('a', 3_000);
        receive(model, full, toServer('patch', [['a', 3_000]]), toServer('patch', [['a', 3_000]]));
      },
    ],
    ['a push of what the answer held', 'duplicate', () => receive(model, full, toServer('patch', [['b', 2_000]]))],
    [
      'pushes in the wrong order',
      'out of order',
      () => {
        write('a', 3_000);
        write('b', 4_000);
        receive(model, full, toServer('patch', [['b', 4_000]]), toServer('patch', [['a', 3_000]]));
      },
    ],
    [
      'a full that goes back',
      'out of order',
      () => {
        write('b', 3_000);
        receive(model, full, toServer('patch', [['b', 3_000]]));
        model.disconnect(++clock);
        ask(model);
        receive(model, full);
      },
    ],
    ['a full that nobody asked for, with nothing new', 'duplicate', () => receive(model, full, full)],
    [
      'a full that lacks what had come',
      'lost',
      () => {
        write('a', 3_000);
        receive(model, full, toServer('full', [['a', 3_000]]));
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
        receive(model, full, toServer('patch', both));
      },
    ],
    [
      'a version that nobody wrote',
      'malformed',
      () => {
        receive(model, full, toServer('patch', [['a', 9_000]]));
      },
    ],
    [
      'one version with two contents',
      'malformed',
      () => {
        writes.begin('x');
        receive(model, full);
        model.disconnect(++clock);
        ask(model);
        receive(model, toServer('patch', [['b', 2_000]]).replace('b@2000', 'x'));
      },
    ],
    ['something that is no JSON', 'malformed', () => receive(model, full, 'Internal server error')],
    ['an object without messageType', 'malformed', () => receive(model, full, '{"message":"Forbidden"}')],
  ])('reports %s as %s', (_, violation, play) => {
    play();
    expect(end(model)).toContain(violation);
  });

  test('may be answered from old data while the table is slow, but not older than its own', () => {
    receive(model, full);
    model.disconnect(++clock);
    write('b', 3_000);
    isSlow = true;
    ask(model);
    receive(model, toServer('patch', []));
    write('a', 4_000);
    receive(model, toServer('patch', [['b', 3_000]]), toServer('patch', [['a', 4_000]]));
    expect(violations).toEqual([]);
    model.disconnect(++clock);
    ask(model);
    receive(model, full);
    expect(violations).toContain('out of order');
  });

  test.each([true, false])('may be older without a cursor on a new connection, if the table is slow: %s', (slow) => {
    receive(model, full);
    write('b', 3_000);
    receive(model, toServer('patch', [['b', 3_000]]));
    model.disconnect(++clock);
    isSlow = slow;
    ask(model, undefined, true);
    receive(model, full);
    expect(violations).toEqual(slow ? [] : ['out of order', 'stale']);
  });

  test('reports a push before the answer as out of order', () => {
    model.disconnect(++clock);
    model.receive(toServer('patch', [['a', 1_000]]), ++clock);
    expect(violations).toEqual(['out of order']);
  });

  test('reports a change as lost if a newer one came, or after the time limit', () => {
    receive(model, full);
    write('a', 3_000);
    write('b', 4_000);
    write('a', 5_000);
    receive(model, toServer('patch', [['b', 4_000]]));
    expect(end(model, PUSH_MS - 10)).toEqual(['lost']);
    violations = [];
    findLost(model.check.sessions, writes.acknowledged, PUSH_MS / 2, report);
    expect(violations).toEqual(['lost', 'lost']);
  });
});

describe('a client-side SDK', () => {
  let model: SdkModel;
  beforeEach(() => {
    model = modelOf('client');
    write('a', 1_000);
    ask(model, red);
    receive(model, toClient('full', red, [['a', 1_000]]));
  });

  test('has a cursor for each user, and none after a change of attributes', () => {
    expect(ask(model, other)).toBe(0);
    receive(model, toClient('full', other, [['a', 1_000]]));
    expect(ask(model, red)).toBe(1_000);
    receive(model, toClient('patch', red, []));
    expect(ask(model, blue)).toBe(0);
    receive(model, toClient('full', blue, [['a', 1_000]]));
    expect(end(model)).toEqual([]);
  });

  test('may be sent pushes for its previous user until the answer for the new one', () => {
    ask(model, blue);
    write('a', 2_000);
    receive(model, toClient('patch', red, [['a', 2_000]]), toClient('full', blue, [['a', 2_000]]));
    expect(end(model, 2 * PUSH_MS)).toEqual([]);
  });

  test.each([
    ['with the same key', blue],
    ['with another key', other],
  ])('may be sent a push for its previous user that a later one corrects (%s)', (_, next) => {
    ask(model, next);
    receive(model, toClient('full', next, [['a', 1_000]]));
    write('a', 2_000);
    receive(model, toClient('patch', red, [['a', 2_000]]), toClient('patch', next, [['a', 2_000]]));
    write('a', 3_000);
    receive(model, toClient('patch', next, [['a', 3_000]]));
    expect(end(model, 2 * PUSH_MS)).toEqual([]);
    expect(model.check.counts.leftovers).toBe(1);
  });

  test('may be sent an item again for a new user, but only within the grace time', () => {
    ask(model, blue);
    receive(model, toClient('full', blue, [['a', 1_000]]), toClient('patch', blue, [['a', 1_000]]));
    expect(violations).toEqual([]);
    clock += GRACE_MS;
    receive(model, toClient('patch', blue, [['a', 1_000]]));
    expect(violations).toEqual(['duplicate']);
  });

  test.each<[string, Violation, () => void]>([
    [
      'a push for the user before that stays',
      'stale',
      () => {
        ask(model, blue);
        receive(model, toClient('full', blue, [['a', 1_000]]), toClient('patch', red, [['a', 1_000]]));
        clock += PUSH_MS + 1;
      },
    ],
    [
      'a push for a user before with another key, not made good',
      'stale',
      () => {
        ask(model, other);
        receive(model, toClient('full', other, [['a', 1_000]]));
        write('a', 2_000);
        receive(model, toClient('patch', red, [['a', 2_000]]));
        clock += PUSH_MS + 1;
      },
    ],
    [
      'a push for another user without a change of user',
      'stale',
      () => {
        write('a', 2_000);
        receive(model, toClient('patch', blue, [['a', 2_000]]));
      },
    ],
    [
      'a push for another key without a change of user',
      'stale',
      () => {
        write('a', 2_000);
        receive(model, toClient('patch', other, [['a', 2_000]]));
      },
    ],
    [
      'an answer for another user',
      'stale',
      () => {
        model.disconnect(++clock);
        ask(model, blue);
        receive(model, toClient('full', red, [['a', 1_000]]));
      },
    ],
    [
      'an older item for the new user',
      'out of order',
      () => {
        write('a', 2_000);
        ask(model, blue);
        receive(model, toClient('full', blue, [['a', 2_000]]), toClient('patch', blue, [['a', 1_000]]));
      },
    ],
  ])('reports %s as %s', (_, violation, play) => {
    play();
    expect(end(model)).toContain(violation);
  });

  test('may be sent nothing for its previous user without a grace time', () => {
    const strict = modelOf('client', 0);
    ask(strict, red);
    receive(strict, toClient('full', red, [['a', 1_000]]));
    ask(strict, blue);
    receive(strict, toClient('full', blue, [['a', 1_000]]));
    expect(violations).toEqual([]);
    receive(strict, toClient('patch', red, [['a', 1_000]]), toClient('patch', blue, [['a', 1_000]]));
    expect(violations).toContain('stale');
  });
});

describe('a client-side SDK whose transport is reliable and numbers the answers', () => {
  let model: SdkModel;
  const full = (user: SdkUser) => toClient('full', user, [['a', 1_000]]);
  const patch = (user: SdkUser, version = 1_000) => toClient('patch', user, [['a', version]]);
  const push = (text: string) => model.receive(text, ++clock, 0);
  const answer = (text: string, number: number) => model.receive(text, ++clock, number);
  beforeEach(() => {
    model = new SdkModel(JS_RULES, { report, graceMs: Number.POSITIVE_INFINITY, isReliable: true }, red);
    ask(model, red);
    answer(full(red), 1);
  });

  test('may be sent an item again that was pushed for its previous user', () => {
    ask(model, blue);
    push(patch(red, 2_000));
    answer(toClient('full', blue, [['a', 2_000]]), 2);
    push(patch(blue, 2_000));
    expect(violations).toEqual([]);
    push(patch(blue, 1_000));
    expect(violations).toEqual(['out of order']);
  });

  test('asks for everything again if its connection ends after a push that crossed its data-sync', () => {
    ask(model, blue);
    push(patch(red, 2_000));
    model.disconnect(++clock);
    ask(model, blue);
    answer(toClient('full', blue, [['a', 2_000]]), 3);
    expect([model.cursors, violations]).toEqual([[0, 0, 0], []]);
  });

  test('may not be sent an item again that was pushed for nobody', () => {
    ask(model, blue);
    answer(full(blue), 2);
    push(patch(blue));
    expect(violations).toEqual(['duplicate']);
  });

  test('may not be sent a push for its new user before the answer', () => {
    ask(model, blue);
    push(patch(blue, 2_000));
    expect(violations).toEqual(['out of order']);
  });

  test('may be sent the answer to a later data-sync by the sender of an earlier one', () => {
    ask(model, blue);
    ask(model, other);
    answer(full(other), 2);
    push(patch(other, 2_000));
    expect(violations).toEqual([]);
    expect(model.check.isInSync).toBe(true);
  });

  test('is checked after another sender has answered its data-sync', () => {
    ask(model, blue);
    ask(model, other);
    answer(full(other), 2);
    answer(patch(other, 2_000), 2);
    expect(violations).toEqual([]);
    answer(patch(other, 2_000), 2);
    answer(patch(other, 500), 2);
    expect(violations).toEqual(['duplicate', 'out of order']);
  });

  test('may be sent everything twice if it asks again before the first answer', () => {
    const hasty = new SdkModel(JS_RULES, { report, graceMs: Number.POSITIVE_INFINITY, isReliable: true }, red);
    ask(hasty, red);
    ask(hasty, red);
    hasty.receive(full(red), ++clock, 1);
    hasty.receive(full(red), ++clock, 1);
    expect(violations).toEqual([]);
  });

  test('may be sent pushes for any user that it asked for, and for no other', () => {
    ask(model, blue);
    answer(full(blue), 2);
    ask(model, other);
    answer(full(other), 3);
    push(patch(red, 2_000));
    push(patch(blue, 2_000));
    push(patch(other, 2_000));
    expect(violations).toEqual([]);
    push(patch(sdkUser('u', { group: 'green' }), 3_000));
    expect(violations).toEqual(['stale']);
  });

  test('may not be sent an older item than the push for another user that it corrects', () => {
    ask(model, other);
    answer(full(other), 2);
    push(patch(red, 3_000));
    push(patch(other, 900));
    expect(violations).toEqual(['out of order']);
  });

  test('may be sent a push again by the answer to a data-sync that it crossed', () => {
    ask(model, red);
    push(patch(red, 2_000));
    answer(patch(red, 2_000), 2);
    expect(violations).toEqual([]);
  });
});

test('an answer in parts may bring the rest of a full by patches', () => {
  const model = new SdkModel(STRICT_RULES, { report, hasParts: true });
  ask(model);
  receive(model, toServer('full', [['a', 1_000]]), toServer('patch', [['b', 2_000]]));
  model.disconnect(++clock);
  expect(ask(model)).toBe(2_000);
  receive(model, toServer('full', [['a', 3_000]]), toServer('patch', [['b', 4_000]]));
  expect(violations).toEqual([]);
});

test('a full with nothing new as the answer to a cursor is a duplicate', () => {
  const model = new SdkModel(STRICT_RULES, { report });
  ask(model);
  receive(model, toServer('full', [['a', 1_000]]));
  model.disconnect(++clock);
  ask(model);
  receive(model, toServer('full', [['a', 1_000]]));
  expect(violations).toEqual(['duplicate']);
});
