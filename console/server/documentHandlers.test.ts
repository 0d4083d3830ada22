import { describe, expect, jest, test } from '@jest/globals';
import { RE2 } from '../../shared/evaluation/expression.ts';
import { asDeleted } from '../../shared/flags/deletion.ts';
import { IN_SEGMENT } from '../../shared/flags/rule.ts';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../shared/testing/builders.ts';
import { aConsole, type TestConsole } from '../testing/console.ts';

useTables();

let count = 0;
async function anEnvironment() {
  const console = aConsole();
  const { environment } = await console.store.environments.create(`shop ${++count}`);
  const { id } = environment;
  const put = (kind: 'flag' | 'segment', document: object, expectedVersion: number | null, more: object = {}) =>
    console.call(`PUT environments/${id}/document`, { document: { kind, document }, expectedVersion, ...more });
  return { console, id, put };
}

const historyOf = async (console: TestConsole, id: string, query = '') =>
  (await console.call(`GET environments/${id}/history${query}`)).json;

describe('a document', () => {
  test('is written with a version of its own, and signed by the operator in the history', async () => {
    const { console, id, put } = await anEnvironment();
    const { status, json } = await put('flag', aFlag({ key: 'f', updatedAt: '2030-01-01T00:00:00.000Z' }), null, {
      remark: 'as agreed',
    });
    expect(status).toBe(200);
    const [{ version, kind, document }] = json.documents;
    expect([kind, document.key, Date.parse(document.updatedAt)]).toEqual(['flag', 'f', version]);
    const content = (await console.call(`GET environments/${id}`)).json;
    expect(content).toMatchObject({ version, documents: [{ kind: 'flag', version }], unreadable: [] });
    expect((await historyOf(console, id)).changes).toMatchObject([
      { version, by: 'ann@laptop', command: 'console: created flag f (as agreed)' },
    ]);
  });

  test('is written with the flags that follow a segment', async () => {
    const { put } = await anEnvironment();
    const segment = (await put('segment', aSegment({ id: 's' }), null)).json.documents[0];
    await put('flag', aFlag({ key: 'f', rules: [aRule([aCondition(IN_SEGMENT, null, '["s"]')])] }), null);
    const { json } = await put('segment', aSegment({ id: 's', included: ['u'] }), segment.version);
    expect(json.documents).toMatchObject([
      { kind: 'segment', document: { id: 's' } },
      { kind: 'flag', document: { key: 'f' } },
    ]);
  });

  test('is not written over what somebody else wrote meanwhile, which is shown instead', async () => {
    const { put } = await anEnvironment();
    const first = (await put('flag', aFlag({ key: 'f', name: 'first' }), null)).json.documents[0];
    const second = (await put('flag', aFlag({ key: 'f', name: 'second' }), first.version)).json.documents[0];
    for (const expectedVersion of [null, first.version]) {
      const { status, json } = await put('flag', aFlag({ key: 'f', name: 'third' }), expectedVersion);
      expect(status).toBe(409);
      expect(json.error).toMatchObject({
        code: 'edit-conflict',
        current: { kind: 'flag', version: second.version, document: { name: 'second' } },
      });
    }
    const gone = await put('segment', aSegment({ id: 's' }), 7);
    expect([gone.status, gone.json.error.current]).toEqual([409, null]);
  });

  test('is written once if several writers compete, and the others get a conflict', async () => {
    const { console, id, put } = await anEnvironment();
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) => put('flag', aFlag({ key: 'f', name: `by ${n}` }), null)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const [winner] = answers.filter(({ status }) => status === 200);
    const { documents } = (await console.call(`GET environments/${id}`)).json;
    expect(documents[0].document.name).toBe(winner?.json.documents[0].document.name);
  });

  test.each([
    ['flag', { ...aFlag({ key: 'not a key' }) }, 'key'],
    ['flag', { ...aFlag({ key: 'f' }), variations: [] }, 'variations'],
    ['flag', { ...aFlag({ key: 'f', variationType: 'number' }) }, 'variations[0].value'],
    ['segment', { id: '../x' }, 'id'],
    ['segment', {}, 'id'],
  ] as const)('is refused with its problems if it is invalid (%s %#)', async (kind, document, path) => {
    const { console, id, put } = await anEnvironment();
    const { status, json } = await put(kind, document, null);
    expect([status, json.error.code]).toEqual([422, 'invalid-document']);
    expect(json.error.problems.map((problem: { path: string }) => problem.path)).toContain(path);
    expect((await console.call(`GET environments/${id}`)).json.documents).toEqual([]);
  });

  test('may keep a value that is not of its type, as imports bring them', async () => {
    const { console, id, put } = await anEnvironment();
    const flag = aFlag({ key: 'f', variationType: 'number' });
    const [stored] = await console.store.documents.writeFlag(id, 'f', () => flag);
    expect((await put('flag', { ...flag, name: 'new' }, stored?.updatedAt ?? 0)).status).toBe(200);
  });

  test('gets no condition that can never match, and keeps one that it has', async () => {
    const { console, id, put } = await anEnvironment();
    const rules = (value: string) => [
      aRule([aCondition('age', 'LessThan', '18'), aCondition('age', 'LessThan', value)]),
    ];
    const unknown = aSegment({
      id: 't',
      name: 't',
      rules: [{ id: 'r', name: '', conditions: [aCondition('plan', '=>', 'a')] }],
    });
    for (const [kind, document, path] of [
      ['flag', aFlag({ key: 'f', rules: rules('abc') }), 'rules[0].conditions[1]'],
      ['segment', unknown, 'rules[0].conditions[0]'],
    ] as const) {
      const { status, json } = await put(kind, document, null);
      const message = expect.stringContaining('would never match');
      expect([status, json.error.problems]).toEqual([422, [expect.objectContaining({ path, message })]]);
    }
    const [stored] = await console.store.documents.writeFlag(id, 'f', () => aFlag({ key: 'f', rules: rules('abc') }));
    const renamed = aFlag({ key: 'f', name: 'new', rules: rules('abc') });
    expect((await put('flag', renamed, stored?.updatedAt ?? 0)).status).toBe(200);
  });

  test('gets no regular expressions over the limit, of which none is compiled', async () => {
    const { put } = await anEnvironment();
    const compile = jest.spyOn(RE2, 'compile');
    const conditions = Array.from({ length: 11 }, () => aCondition('a', 'MatchRegex', 'x{1000}'.repeat(5)));
    const { status, json } = await put('flag', aFlag({ key: 'f', rules: [aRule(conditions)] }), null);
    const problem = { path: 'rules', message: expect.stringContaining('more than 50000 characters') };
    expect([status, json.error.problems]).toEqual([422, [expect.objectContaining(problem)]]);
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
  });

  test('is refused if a segment takes another’s name, or ends while flags refer to it', async () => {
    const { put } = await anEnvironment();
    const { version } = (await put('segment', aSegment({ id: 's', name: 'pro' }), null)).json.documents[0];
    const taken = await put('segment', aSegment({ id: 't', name: 'pro' }), null);
    expect(taken.json.error.problems).toMatchObject([{ path: 'name', message: expect.stringContaining('already') }]);
    await put('flag', aFlag({ key: 'f', rules: [aRule([aCondition(IN_SEGMENT, null, '["s"]')])] }), null);
    const ended = await put('segment', aSegment({ id: 's', name: 'pro', isArchived: true }), version);
    expect(ended.json.error.problems).toMatchObject([{ path: 'isArchived', message: expect.stringContaining('f') }]);
  });

  test('is refused by its size if the table cannot hold it', async () => {
    const { put } = await anEnvironment();
    const included = Array.from({ length: 60_000 }, (_, n) => `${n * 7_919}-${(n * 104_729).toString(36)}`);
    const { status, json } = await put('segment', aSegment({ id: 's', included }), null);
    expect([status, json.error.code]).toEqual([413, 'document-too-large']);
  });

  test('comes back unchanged as JSON if its names are HTML or those of a prototype', async () => {
    const { console, id, put } = await anEnvironment();
    const name = '<img src=x onerror=alert(1)>';
    await put('flag', { ...aFlag({ key: 'a-key', name }), constructor: 'kept' }, null);
    const response = await console.request(`/console/api/environments/${id}`);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { documents } = JSON.parse(await response.text());
    expect(documents[0].document).toMatchObject({ key: 'a-key', name, constructor: 'kept' });
  });
});

describe('a change', () => {
  test('is taken back, and not where that would lose another', async () => {
    const { console, id, put } = await anEnvironment();
    const first = (await put('flag', aFlag({ key: 'f', name: 'one' }), null)).json.documents[0];
    const second = (await put('flag', aFlag({ key: 'f', name: 'two' }), first.version)).json.documents[0];
    const undo = (version: number) => console.call(`POST environments/${id}/undo`, { version });
    expect(await undo(first.version)).toMatchObject({ status: 409, json: { error: { code: 'conflict' } } });
    expect((await undo(second.version)).json.documents).toMatchObject([{ document: { name: 'one' } }]);
    expect(await undo(1)).toMatchObject({ status: 404 });
    const [{ command }] = (await historyOf(console, id)).changes;
    expect(command).toBe(`console: undid the change of ${new Date(second.version).toISOString()}`);
  });

  test('is told of newest first, page by page, of all documents or one', async () => {
    const { console, id } = await anEnvironment();
    const { documents } = console.store;
    for (let n = 0; n < 22; n++) await documents.writeFlag(id, 'f', () => aFlag({ key: 'f', name: `${n}` }));
    await documents.writeSegment(id, 's', () => aSegment({ id: 's' }));
    const page = await historyOf(console, id);
    expect(page.changes).toHaveLength(20);
    expect(page.changes[0].documents).toEqual([
      { kind: 'segment', id: 's', isNew: true, action: 'created', changes: [], moreChanges: 0 },
    ]);
    expect(page.changes[1].documents[0].changes).toEqual([{ label: 'Name', before: '20', after: '21' }]);
    const rest = await historyOf(console, id, `?before=${page.next}`);
    expect(rest.changes.map(({ documents: [each] }: { documents: { changes: object[] }[] }) => each?.changes)).toEqual([
      [{ label: 'Name', before: '1', after: '2' }],
      [{ label: 'Name', before: '0', after: '1' }],
      [],
    ]);
    expect(rest.next).toBeUndefined();
    expect((await historyOf(console, id, '?kind=segment&id=s')).changes).toHaveLength(1);
    expect((await historyOf(console, id, '?kind=segment&id=f')).changes).toEqual([]);
  });

  test('is found by what was done, by whom and when', async () => {
    const { console, id, put } = await anEnvironment();
    const flag = aFlag({ key: 'f', isEnabled: false });
    const first = (await put('flag', flag, null)).json.documents[0];
    const second = (await put('flag', { ...flag, isEnabled: true }, first.version)).json.documents[0];
    const third = (await put('flag', { ...flag, isEnabled: true, name: 'n' }, second.version)).json.documents[0];
    await put('flag', { ...flag, isEnabled: true, name: 'n', isArchived: true }, third.version);
    const found = async (query: string) =>
      (await historyOf(console, id, query)).changes.map(({ command }: { command: string }) => command);
    const all = ['archived', 'edited', 'turned on', 'created'].map((action) => `console: ${action} flag f`);
    expect(await found('')).toEqual(all);
    expect(await found('?action=turned+on')).toEqual([all[2]]);
    expect(await found('?by=ANN')).toEqual(all);
    expect(await found('?by=eve')).toEqual([]);
    const changes = (await historyOf(console, id)).changes;
    const [newest, oldest] = [changes[0].at, changes[3].at];
    expect(await found(`?since=${oldest}&until=${newest + 1}`)).toEqual(all);
    expect(await found(`?since=${newest + 1}`)).toEqual([]);
    expect(await found(`?until=${oldest}`)).toEqual([]);
  });

  test('is listed in part if it has many documents, or a large one', async () => {
    const { console, id } = await anEnvironment();
    const flags = Array.from({ length: 25 }, (_, n) => aFlag({ key: `f${n}`, description: 'x'.repeat(3_000) }));
    const imported = flags.map((document) => ({ kind: 'flag' as const, document }));
    await console.store.documents.import(id, imported);
    await console.store.documents.writeFlag(id, 'f1', (flag) => ({ ...aFlag({}), ...flag, description: 'short' }));
    const [edit, first] = (await historyOf(console, id)).changes;
    expect(edit.documents[0].changes[0].before).toHaveLength(2_001);
    expect([first.documents.length, first.moreDocuments]).toEqual([20, 5]);
    const [, ofFlag] = (await historyOf(console, id, '?kind=flag&id=f1')).changes;
    expect([ofFlag.documents.length, ofFlag.moreDocuments]).toEqual([1, 24]);
  });

  test.each(['?before=x', '?kind=other', '?limit=9', '?before=-1', '?action=praised', '?since=x'])(
    'is refused with %s',
    async (query) => {
      const { console, id } = await anEnvironment();
      expect(await console.call(`GET environments/${id}/history${query}`)).toMatchObject({ status: 400 });
    },
  );
});

describe('an environment in the past', () => {
  const pastOf = (console: TestConsole, id: string, query: string) =>
    console.call(`GET environments/${id}/past${query}`);

  test('has the documents of that time, the deleted ones too', async () => {
    const { console, id, put } = await anEnvironment();
    const segment = (await put('segment', aSegment({ id: 's' }), null)).json.documents[0];
    const flag = (await put('flag', aFlag({ key: 'f', name: 'one' }), null)).json.documents[0];
    await put('segment', asDeleted(aSegment({ id: 's' })), segment.version);
    const [{ at: deleted }, { at }] = (await historyOf(console, id)).changes;
    await put('flag', aFlag({ key: 'f', name: 'two' }), flag.version);
    const then = (await pastOf(console, id, `?at=${at}`)).json;
    expect(then.documents).toMatchObject([
      { kind: 'flag', document: { name: 'one' } },
      { kind: 'segment', document: { isArchived: false } },
    ]);
    expect(then.version).toBe(flag.version);
    expect((await pastOf(console, id, `?at=${deleted}`)).json.documents).toMatchObject([
      { kind: 'flag' },
      { kind: 'segment', document: { isDeleted: true } },
    ]);
    expect((await pastOf(console, id, '?at=0')).json).toEqual({ version: 0, documents: [] });
  });

  test.each([
    ['', 400, 'at'],
    ['?at=x', 400, 'at'],
    ['?at=9000000000000000', 400, 'at'],
    ['?at=8640000000000000', 404, 'the time is in the future'],
  ])('is refused without a time that was: %p', async (query, status, message) => {
    const { console, id } = await anEnvironment();
    const answer = await pastOf(console, id, query);
    expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe('a document that is deleted', () => {
  test('is so to the history and the page; its key takes a new one', async () => {
    const { console, id, put } = await anEnvironment();
    const first = (await put('flag', aFlag({ key: 'f' }), null)).json.documents[0];
    const deleted = await put('flag', asDeleted(aFlag({ key: 'f' })), first.version);
    expect(deleted.json.documents).toMatchObject([{ document: { isArchived: true, isDeleted: true } }]);
    expect((await historyOf(console, id)).changes[0].command).toBe('console: deleted flag f');
    expect((await put('flag', aFlag({ key: 'f' }), first.version)).json.error).toMatchObject({
      code: 'edit-conflict',
      current: null,
    });
    const { json } = await put('flag', aFlag({ key: 'f', id: 'new' }), null);
    expect(json.documents).toMatchObject([{ document: { id: 'new', isArchived: false } }]);
  });

  test('must not be a segment that flags refer to', async () => {
    const { put } = await anEnvironment();
    const segment = aSegment({ id: 's' });
    const { version } = (await put('segment', segment, null)).json.documents[0];
    await put('flag', aFlag({ key: 'f', rules: [aRule([aCondition(IN_SEGMENT, null, '["s"]')])] }), null);
    expect((await put('segment', asDeleted(segment), version)).json.error.problems).toEqual([
      { path: 'isDeleted', message: 'cannot be deleted: these flags refer to it: f', severity: 'error' },
    ]);
  });
});

describe('a copy from another environment', () => {
  const expected = (kind: 'flag' | 'segment', document: object, expectedVersion: number | null) => ({
    document: { kind, document },
    expectedVersion,
  });

  test('is one change, with its segments, its source and all of a long reason', async () => {
    const remark = 'r'.repeat(200);
    const { console, id, put } = await anEnvironment();
    const { version } = (await put('flag', aFlag({ key: 'f' }), null)).json.documents[0];
    const rules = [aRule([aCondition(IN_SEGMENT, null, '["s"]')])];
    const { status, json } = await console.call(`POST environments/${id}/copy`, {
      from: 'staging',
      documents: [
        expected('segment', aSegment({ id: 's' }), null),
        expected('flag', aFlag({ key: 'f', rules }), version),
        expected('flag', aFlag({ key: 'g' }), null),
      ],
      remark,
    });
    expect(status).toBe(200);
    expect(json.documents.map(({ kind }: { kind: string }) => kind)).toEqual(['segment', 'flag', 'flag']);
    const [change] = (await historyOf(console, id)).changes;
    expect(change.command).toBe(`console: copied from “staging” (${remark})`);
    expect(change.documents).toHaveLength(3);
  });

  test('is not written over what somebody else wrote meanwhile, nor in part', async () => {
    const { console, id, put } = await anEnvironment();
    const { version } = (await put('flag', aFlag({ key: 'f' }), null)).json.documents[0];
    const second = (await put('flag', aFlag({ key: 'f', name: 'other' }), version)).json.documents[0];
    const copy = (documents: readonly object[]) =>
      console.call(`POST environments/${id}/copy`, { from: 'x', documents });
    const { status, json } = await copy([
      expected('flag', aFlag({ key: 'g' }), null),
      expected('flag', aFlag({ key: 'f', name: 'mine' }), version),
    ]);
    expect([status, json.error.current.version]).toEqual([409, second.version]);
    expect((await copy([expected('flag', aFlag({ key: 'g', variations: [] }), null)])).status).toBe(422);
    expect((await copy([])).status).toBe(400);
    const twice = expected('flag', aFlag({ key: 'g' }), null);
    expect((await copy([twice, twice])).status).toBe(400);
    expect((await console.call(`GET environments/${id}`)).json.documents).toHaveLength(1);
  });

  test('needs to be confirmed in production', async () => {
    const { console, id } = await anEnvironment();
    await console.store.environments.change({ id }, { isProduction: true });
    const body = { from: 'staging', documents: [expected('flag', aFlag({ key: 'f' }), null)] };
    expect((await console.call(`POST environments/${id}/copy`, body)).status).toBe(428);
    expect((await console.call(`POST environments/${id}/copy`, { ...body, confirm: id })).status).toBe(200);
  });
});

describe('several flags', () => {
  /** Makes flags, all of them on. @returns what a request names them by */
  async function flagsOf({ put }: Awaited<ReturnType<typeof anEnvironment>>, ...keys: string[]) {
    const flags: { key: string; expectedVersion: number }[] = [];
    for (const key of keys) {
      const { json } = await put('flag', aFlag({ key }), null);
      flags.push({ key, expectedVersion: json.documents[0].version });
    }
    return flags;
  }

  test('are edited by one request, and signed as one change', async () => {
    const environment = await anEnvironment();
    const { console, id } = environment;
    const flags = await flagsOf(environment, 'a', 'b', 'c');
    const { status, json } = await console.call(`PATCH environments/${id}/flags`, {
      edit: { kind: 'off' },
      flags: flags.slice(0, 2),
      remark: 'incident',
    });
    expect([status, json.conflicts]).toEqual([200, []]);
    expect(json.documents).toMatchObject([
      { kind: 'flag', document: { key: 'a', isEnabled: false } },
      { kind: 'flag', document: { key: 'b', isEnabled: false } },
    ]);
    const [newest] = (await historyOf(console, id)).changes;
    expect(newest).toMatchObject({ by: 'ann@laptop', command: 'console: turn off 2 flags (incident)' });
    expect(newest.documents.map((document: { id: string }) => document.id)).toEqual(['a', 'b']);
  });

  test('are named and left alone if they have changed or are gone; others are written', async () => {
    const environment = await anEnvironment();
    const { console, id, put } = environment;
    const flags = await flagsOf(environment, 'a', 'b');
    await put('flag', aFlag({ key: 'b', name: 'theirs' }), flags[1]?.expectedVersion ?? 0);
    const { json } = await console.call(`PATCH environments/${id}/flags`, {
      edit: { kind: 'add-tag', tag: ' old ' },
      flags: [...flags, { key: 'gone', expectedVersion: 7 }],
    });
    expect(json.conflicts).toEqual(['b', 'gone']);
    expect(json.documents).toMatchObject([{ document: { key: 'a', tags: ['old'] } }]);
    const { documents } = (await console.call(`GET environments/${id}`)).json;
    expect(documents[1].document).toMatchObject({ key: 'b', name: 'theirs', tags: [] });
  });

  test('are no conflict if they were written before another writer came in between', async () => {
    const keys = Array.from({ length: 120 }, (_, n) => `f${n}`);
    const documents = keys.map((key) => ({ kind: 'flag' as const, document: aFlag({ key }) }));
    let transactions = -1;
    const console = aConsole({
      intercept: async ({ name }, send) => {
        if (name === 'TransactWriteItems' && transactions >= 0 && ++transactions === 2) {
          await console.store.documents.writeFlag(id, 'other', () => aFlag({ key: 'other' }));
        }
        return send();
      },
    });
    const { environment } = await console.store.environments.create(`shop ${++count}`);
    const { id } = environment;
    const stored = await console.store.documents.import(id, documents);
    const flags = stored.map(({ id: key, updatedAt: expectedVersion }) => ({ key, expectedVersion }));
    transactions = 0;
    const { json } = await console.call(`PATCH environments/${id}/flags`, { edit: { kind: 'off' }, flags });
    expect(transactions).toBeGreaterThan(2);
    expect(json.conflicts).toEqual([]);
    expect(json.documents).toHaveLength(120);
  });

  test.each([
    ['none', { edit: { kind: 'on' }, flags: [] }],
    [
      '201',
      { edit: { kind: 'on' }, flags: Array.from({ length: 201 }, (_, n) => ({ key: `${n}`, expectedVersion: 1 })) },
    ],
    ['one twice', { edit: { kind: 'on' }, flags: [1, 2].map((expectedVersion) => ({ key: 'a', expectedVersion })) }],
    ['no such edit', { edit: { kind: 'delete' }, flags: [{ key: 'a', expectedVersion: 1 }] }],
    ['no tag', { edit: { kind: 'add-tag', tag: ' ' }, flags: [{ key: 'a', expectedVersion: 1 }] }],
  ])('are refused where the request names %s', async (_, body) => {
    const { console, id } = await anEnvironment();
    const { status, json } = await console.call(`PATCH environments/${id}/flags`, body);
    expect([status, json.error.code]).toEqual([400, 'bad-request']);
  });

  test('are edited in production only with a confirmation', async () => {
    const environment = await anEnvironment();
    const { console, id } = environment;
    const flags = await flagsOf(environment, 'a');
    await console.call(`PATCH environments/${id}`, { isProduction: true });
    const body = { edit: { kind: 'off' }, flags };
    expect((await console.call(`PATCH environments/${id}/flags`, body)).status).toBe(428);
    expect((await console.call(`PATCH environments/${id}/flags`, { ...body, confirm: id })).status).toBe(200);
  });
});
