import { ProvisionedThroughputExceededException, paginateQuery } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tick } from '../../../functions/testing/tick.ts';
import type { Document } from '../../flags/document.ts';
import { withGrownShare } from '../../flags/edits/growShare.ts';
import type { Flag } from '../../flags/flag.ts';
import { IN_SEGMENT } from '../../flags/rule.ts';
import { presentFields } from '../../plans/planContent.ts';
import type { GuardState } from '../../plans/planUpdate.ts';
import { isOpen, nextStep } from '../../plans/releasePlan.ts';
import { aCondition, aFlag, aRule, aSegment, aUser, share } from '../../testing/builders.ts';
import { evaluateFlag } from '../../testing/evaluate.ts';
import { longRuns } from '../../testing/runs.ts';
import type { HistoryEntry } from '../documents/historyEntry.ts';
import { requireDocument, type StoredDocument } from '../documents/item.ts';
import { openStore } from '../store.ts';
import { Conflict } from '../table/errors.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { type TestStore, testEffects } from '../testing/testTables.ts';
import { fireGuard } from './applyPlan.ts';
import { readPlan } from './planItem.ts';

const effects = testEffects();
const MINUTE = 60_000;
const USERS = Array.from({ length: 40 }, (_, n) => aUser(`user-${n}`));

useStore(effects);

/** What happens to a tick. `at` counts its requests. */
type Fault = { readonly kind: 'none' | 'killed before' | 'killed after' | 'throttled'; readonly at: number };

/** `plan` creates a second plan of the flag, and one of another flag. */
type OperatorAction = 'edit' | 'restamp' | 'resume' | 'skip' | 'append' | 'plan' | 'abort';

type Action =
  | { readonly kind: 'tick'; readonly faults: readonly Fault[]; readonly meanwhile: readonly OperatorAction[] }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'alarm'; readonly isOn: boolean; readonly faults: readonly Fault[] }
  | { readonly kind: OperatorAction };

const faultArbitrary: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom('none', 'killed before', 'killed after', 'throttled'),
  at: fc.integer({ min: 1, max: 16 }),
});
const operatorArbitrary = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<OperatorAction>('edit', 'restamp', 'resume', 'skip', 'append', 'plan') },
  // The first one ends the plan.
  { weight: 1, arbitrary: fc.constant<OperatorAction>('abort') },
);
const actionArbitrary: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('tick'),
      faults: fc.array(faultArbitrary, { minLength: 1, maxLength: 3 }),
      meanwhile: fc.array(operatorArbitrary, { maxLength: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: operatorArbitrary }) },
);

/** An alarm changes its state. In ALARM, the guard fires in processes that may fail. */
const alarmArbitrary: fc.Arbitrary<Action> = fc.record({
  kind: fc.constant('alarm'),
  isOn: fc.boolean(),
  faults: fc.array(faultArbitrary, { minLength: 1, maxLength: 3 }),
});

/** Work in a process of its own, with a fault. Several may run at the same time. */
async function runWith({ kind, at }: Fault, work: (own: TestStore) => Promise<unknown>): Promise<void> {
  let calls = 0;
  const own = database.open(effects, async ({ name }, send) => {
    calls++;
    if (kind === 'throttled' && calls >= at && calls < at + 4) {
      throw new ProvisionedThroughputExceededException({ message: name, $metadata: {} });
    }
    if (kind === 'killed before' || kind === 'killed after') {
      if (calls > at || (calls === at && kind === 'killed before')) throw new Error('killed');
    }
    const output = await send();
    if (kind === 'killed after' && calls === at) throw new Error('killed');
    return output;
  });
  await work(own).catch((error: Error) => {
    if (kind === 'none') throw error;
  });
}

async function historyOf(envId: string): Promise<HistoryEntry[]> {
  const entries: HistoryEntry[] = [];
  for await (const entry of store.history.entries(envId)) entries.unshift(entry);
  return entries;
}

async function dueEntries(envId: string): Promise<string[]> {
  const query = {
    TableName: store.tables.flags,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: 'DUE' } },
  };
  const found: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client: store.tables.client }, query)) {
    found.push(...Items.map((item) => item['sk']?.S ?? '').filter((sk) => sk.includes(envId)));
  }
  return found;
}

/** What a plan changes: the share of a variation in the default rule or in a rule, or the flag's name. */
type Subject = 'default' | 'rule' | 'name';

/** Carries out actions on a plan, then ticks without faults. @returns the plan at the end, and its history */
async function play(subject: Subject, steps: readonly number[], actions: readonly Action[]) {
  const envId = await newEnvironment();
  const start = effects.now();
  await store.documents.import(envId, [
    {
      kind: 'flag',
      document: aFlag({
        key: 'f',
        fallthrough: { ...aFlag().fallthrough, variations: [share('off')] },
        rules: [aRule([aCondition(IN_SEGMENT, '', '["s"]')]), aRule([], { id: 'grown', name: 'Grown' })],
      }),
    },
    { kind: 'flag', document: aFlag({ key: 'other' }) },
    { kind: 'segment', document: aSegment({ id: 's', included: ['nobody'] }) },
  ]);
  const change = (n: number) => (document: Document) => {
    const flag = document.document as Flag;
    const rule = subject === 'rule' ? flag.rules.find(({ id }) => id === 'grown') : undefined;
    const grown = () => withGrownShare(flag, 'on', (n + 1) / 10, rule);
    return { kind: 'flag', document: subject === 'name' ? { ...flag, name: `step ${n}` } : grown() } as Document;
  };
  const [plan] = await store.plans.create(envId, start, () => [
    {
      kind: 'flag',
      documentId: 'f',
      type: subject === 'name' ? 'changes' : 'rollout',
      steps: steps.map((minutes, n) => ({ at: start + minutes * MINUTE, change: change(n) })),
      guards: ['errors'],
      watchMs: MINUTE,
    },
  ]);
  if (!plan) throw new Error('nothing was planned');
  const bob = openStore(store.tables, effects, async () => ({ by: 'bob', command: 'edit' }));
  let edits = 0;
  /** Versions of the environment around each resume. */
  const resumes: { from: number; to: number }[] = [];
  const skipped = new Set<number>();
  let abortedAt: number | undefined;
  const createOther = (documentId: string) => {
    const now = effects.now();
    const changed = (text: string) => (document: Document) =>
      ({ kind: 'flag', document: { ...document.document, description: text } }) as Document;
    const steps = [1, 3].map((minutes) => ({ at: now + minutes * MINUTE, change: changed(`plan ${++edits}`) }));
    return bob.plans.create(envId, now, () => [
      { kind: 'flag', documentId, type: 'changes', steps, guards: ['errors'], watchMs: MINUTE },
    ]);
  };
  const version = async () => (await store.documents.version(envId)).updatedAt;
  const unlessConflict = (error: unknown) => {
    if (!(error instanceof Conflict)) throw error;
    return undefined;
  };
  const act = async (action: OperatorAction) => {
    if (action === 'edit') {
      await bob.documents.writeFlag(envId, 'f', (flag = aFlag()) => ({
        ...flag,
        description: `edit ${++edits}`,
        rules: flag.rules.toReversed(),
      }));
    }
    if (action === 'restamp') {
      await bob.documents.writeSegment(envId, 's', (segment) => ({
        ...aSegment(),
        ...segment,
        included: [`${++edits}`],
      }));
    }
    if (action === 'append') {
      const now = effects.now();
      const documents = bob.plans.scheduled(now + 2 * MINUTE, now, () => undefined, { appends: true });
      const tags = [`${++edits}`];
      await documents
        .writeFlag(envId, 'f', (flag) => ({ ...aFlag(), ...flag, tags }))
        // It is a rollout, paused, or has a later step.
        .catch(unlessConflict);
    }
    if (action === 'plan') {
      // The flag may have an open plan.
      await Promise.all(['f', 'other'].map((id) => createOther(id).catch(unlessConflict)));
    }
    const from = await version();
    const isChange = action === 'resume' || action === 'skip' || action === 'abort';
    // The plan may have ended meanwhile.
    const changed = isChange ? await bob.plans[action](envId, plan.id).catch(unlessConflict) : undefined;
    if (action === 'abort' && changed) abortedAt = await version();
    if (action === 'resume' && changed) resumes.push({ from, to: await version() });
    for (const [n, { outcome }] of changed?.steps.entries() ?? []) {
      if (outcome.kind === 'skipped' && outcome.by) skipped.add(n);
    }
  };
  let isInAlarm = false;
  const readGuards = async (): Promise<GuardState> =>
    isInAlarm ? { kind: 'alarm', alarm: 'errors' } : { kind: 'clear' };
  const guardedTick = (opened: TestStore) => tick(opened, undefined, readGuards);
  const fire = ({ tables: { client, flags: name } }: TestStore) =>
    fireGuard({ client, name, effects }, envId, plan.id, { kind: 'alarm', name: 'errors' });
  for (const action of actions) {
    if (action.kind === 'wait') effects.clock.now += action.minutes * MINUTE;
    else if (action.kind === 'tick') {
      const ticks = action.faults.map((fault) => runWith(fault, guardedTick));
      await Promise.all([...ticks, ...action.meanwhile.map(act)]);
    } else if (action.kind === 'alarm') {
      isInAlarm = action.isOn;
      if (isInAlarm) await Promise.all(action.faults.map((fault) => runWith(fault, fire)));
    } else await act(action.kind);
  }
  // Lambda retries a guard that failed.
  if (isInAlarm) await fire(store);
  expect(await guardedTick(store)).toEqual([]);
  const end = await readPlan({ client: store.tables.client, name: store.tables.flags, effects }, envId, plan.id);
  if (!end) throw new Error('the plan is lost');
  const plans = await store.plans.list(envId, 'all');
  return { envId, end, plans, history: await historyOf(envId), resumes, skipped, abortedAt };
}

const isStep = ({ by }: HistoryEntry) => by.startsWith('plan ');

test('applies each step once, in order, and undoes it once, under crashes and edits', async () => {
  const steps = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 5 });
  const subject = fc.constantFrom<Subject>('default', 'rule', 'name');
  await fc.assert(
    fc.asyncProperty(
      subject,
      steps,
      fc.array(fc.oneof({ weight: 3, arbitrary: actionArbitrary }, { weight: 1, arbitrary: alarmArbitrary }), {
        minLength: 1,
        maxLength: 12,
      }),
      async (kind, times, actions) => {
        const inOrder = times.toSorted((one, other) => one - other);
        const { envId, end, plans, history, resumes, skipped, abortedAt } = await play(kind, inOrder, actions);

        for (const each of plans) {
          const entries = history.filter(({ by }) => by.includes(`${each.id} `));
          const applied = entries.filter(isStep).map(({ command }) => Number(/^step (\d+) /.exec(command)?.[1]));
          expect(applied).toEqual([...new Set(applied)].toSorted((one, other) => one - other));
          const marked = each.steps.flatMap(({ outcome, isWatch }, n) =>
            ['applied', 'undone'].includes(outcome.kind) && !isWatch ? [n + 1] : [],
          );
          expect(applied).toEqual(marked);
        }
        const own = history.filter(({ by }) => by.includes(`${end.id} `));

        // A flag has one open plan, and an aborted plan writes nothing.
        const open = plans.filter(isOpen).map(({ documentId }) => documentId);
        expect(new Set(open).size).toBe(open.length);
        if (abortedAt !== undefined) {
          expect(end.state.kind).toBe('aborted');
          expect(own.at(-1)?.version ?? 0).toBeLessThanOrEqual(abortedAt);
        }

        for (const n of skipped) expect(end.steps[n]?.outcome.kind).toBe('skipped');

        // After a manual edit, the plan writes nothing until it is resumed.
        for (const { by, version, documents } of history) {
          if (by !== 'bob' || documents.every(({ id, isFollower }) => id !== 'f' || isFollower)) continue;
          const next = own.find((entry) => entry.version > version);
          if (next) expect(resumes.some(({ from, to }) => to >= version && from < next.version)).toBe(true);
        }

        // Each undo follows a step, and sets the fields of the plan as they were before it.
        const present = await store.documents.find(envId, 'flag', 'f');
        for (const [n, entry] of own.entries()) {
          if (isStep(entry)) continue;
          const earlier = own[n - 1];
          expect(earlier && isStep(earlier)).toBe(true);
          const later = history
            .filter(({ version }) => version > entry.version)
            .flatMap(({ documents }) => documents.filter(({ id, isFollower }) => id === 'f' && !isFollower));
          const [was, is] = [entry.documents.find(({ id }) => id === 'f')?.before, later[0]?.before ?? present];
          const [undone, flag] = [was, is].map((each) => requireDocument(each as StoredDocument).document as Flag);
          expect(flag && presentFields(flag, end.before)).toEqual(end.before);
          expect(flag?.description).toBe(undone?.description);
          expect(flag?.rules.map(({ id }) => id)).toEqual(undone?.rules.map(({ id }) => id));
        }

        // What is due has been applied, unless the plan is paused. There is an entry for what is left. Operators leave old ones to the tick.
        const next = end.steps[nextStep(end)];
        if (end.state.kind === 'running') expect(next?.at).toBeGreaterThan(effects.now());
        const left =
          end.state.kind === 'running' && next ? [`${String(next.at).padStart(15, '0')}#${envId}#${end.id}`] : [];
        const entries = await dueEntries(envId);
        expect(entries).toEqual(expect.arrayContaining(left));
        for (const entry of entries) expect(Number.parseInt(entry, 10)).toBeGreaterThan(effects.now());
      },
    ),
    { numRuns: longRuns(100) },
  );
}, 120_000);

test('no user moves back while a rollout grows, whatever happens to its ticks', async () => {
  const steps = fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 6 });
  const subject = fc.constantFrom<Subject>('default', 'rule');
  const actions = fc.array(actionArbitrary, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(subject, steps, actions, async (grown, times, played) => {
      const inOrder = times.toSorted((one, other) => one - other);
      const { envId, history } = await play(grown, inOrder, played);
      const present = await store.documents.find(envId, 'flag', 'f');
      const states = history.flatMap(({ documents }) =>
        documents.flatMap(({ id, before }) => (id === 'f' && before ? [before] : [])),
      );
      const flags = [...states, ...(present ? [present] : [])].map(
        (stored) => requireDocument(stored).document as Flag,
      );
      const rulesOf = ({ rules }: Flag) => (grown === 'rule' ? rules.filter(({ id }) => id === 'grown') : []);
      const served = flags.map((flag) => {
        return USERS.map((user) => evaluateFlag({ ...flag, rules: rulesOf(flag) }, user).value);
      });
      for (const [n, later] of served.slice(1).entries()) {
        expect(later).toEqual(later.map((value, user) => (served[n]?.[user] === 'true' ? 'true' : value)));
      }
    }),
    { numRuns: longRuns(60) },
  );
}, 120_000);
