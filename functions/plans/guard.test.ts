import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from '../../shared/flags/document.ts';
import type { NewPlan } from '../../shared/plans/newPlan.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import type { Alarm } from '../../shared/runtime/alarms.ts';
import { readPlan } from '../../shared/store/plans/planItem.ts';
import { keys } from '../../shared/store/table/keys.ts';
import { deleteItem } from '../../shared/store/table/write.ts';
import { database, newEnvironment, store, useStore } from '../../shared/store/testing/testStore.ts';
import { type Intercept, testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { tick } from '../testing/tick.ts';
import { createGuard } from './guard.ts';
import { createReadGuards } from './readGuards.ts';
import { keepTaggedAlarms } from './taggedAlarms.ts';

const effects = testEffects();
const HOUR = 3_600_000;

useStore(effects);

let envId: string;
let name: string;
let alarm: string;
let alarms: Alarm[];
let targets: string[];

beforeEach(async () => {
  envId = await newEnvironment();
  ({ name } = await store.environments.find(envId));
  await store.documents.import(envId, [
    { kind: 'flag', document: aFlag({ key: 'f', name: 'before' }) },
    { kind: 'flag', document: aFlag({ key: 'g', name: 'before' }) },
  ]);
  alarm = `errors of ${envId}`;
  alarms = [{ name: alarm, arn: 'arn:errors', state: 'ALARM' }];
  targets = [];
});

const table = (intercept?: Intercept) => {
  const { client, flags } = database.open(effects, intercept).tables;
  return { client, name: flags, effects };
};
const guard = (intercept?: Intercept) =>
  createGuard({
    table: table(intercept),
    readAlarms: async (names) => alarms.filter((each) => names.includes(each.name)),
    readTargets: async () => targets,
  });
const event = () => ({ detail: { alarmName: alarm, state: { value: 'OK' } }, resources: ['arn:ignored'] });

/** A plan whose step is applied. */
async function applied(documentId: string, more: Partial<NewPlan>): Promise<ReleasePlan> {
  const start = effects.now();
  const change = (document: Document) =>
    ({ ...document, document: { ...document.document, name: 'after' } }) as Document;
  const [plan] = await store.plans.create(envId, start, () => [
    {
      kind: 'flag',
      documentId,
      type: 'changes',
      steps: [
        { at: start, change },
        {
          at: start + HOUR,
          change: (document) => ({ ...document, document: { ...document.document, name: 'later' } }) as Document,
        },
      ],
      ...more,
    },
  ]);
  if (!plan) throw new Error('nothing was planned');
  expect(await tick(store)).toEqual([]);
  return plan;
}
const stateOf = async ({ id }: ReleasePlan) => (await readPlan(table(), envId, id))?.state;

describe('an event of an alarm', () => {
  test('fires all plans that name the alarm, and those in its tag', async () => {
    const explicit = await applied('f', { guards: [alarm] });
    const tagged = await applied('g', {});
    targets = [`${name}/g`, `${envId}/f`, 'other/f'];
    await guard()(event());
    expect(await stateOf(explicit)).toMatchObject({ kind: 'paused', guard: alarm });
    expect(await stateOf(tagged)).toMatchObject({ kind: 'paused', guard: alarm });
  });

  test('is only a hint: the present state of the alarm decides', async () => {
    const plan = await applied('f', { guards: [alarm] });
    alarms = [{ name: alarm, arn: '', state: 'OK' }];
    await guard()({ detail: { alarmName: alarm, state: { value: 'ALARM' } } });
    await guard()({ detail: { alarmName: 'none' } });
    await guard()({});
    expect(await stateOf(plan)).toMatchObject({ kind: 'running' });
  });

  test('fails if a plan fails, and the next attempt fires it', async () => {
    const plan = await applied('f', { guards: [alarm] });
    const failing = guard(({ name: command }, send) => {
      if (command === 'TransactWriteItems') throw new Error('down');
      return send();
    });
    await expect(failing(event())).rejects.toThrow('failed for 1 of 1 plans');
    await guard()(event());
    expect(await stateOf(plan)).toMatchObject({ guard: alarm });
  });

  test('fires a plan by its tag, also if a plan that names the alarm fails', async () => {
    await applied('f', { guards: [alarm] });
    const tagged = await applied('g', {});
    targets = [`${name}/g`];
    let transactions = 0;
    const failing = guard(({ name: command }, send) => {
      if (command === 'TransactWriteItems' && transactions++ === 0) throw new Error('down');
      return send();
    });
    await expect(failing(event())).rejects.toThrow('failed for 1 of 1 plans');
    expect(await stateOf(tagged)).toMatchObject({ kind: 'paused', guard: alarm });
  });

  test('fires every other plan if one cannot be read', async () => {
    const broken = await applied('f', { guards: [alarm] });
    const tagged = await applied('g', {});
    targets = [`${name}/g`];
    await store.tables.client.send(
      new UpdateItemCommand({
        TableName: store.tables.flags,
        Key: keys.plan(envId, broken.id),
        UpdateExpression: 'SET #plan = :plan',
        ExpressionAttributeNames: { '#plan': 'plan' },
        ExpressionAttributeValues: { ':plan': { S: '{"state"' } },
      }),
    );
    await expect(guard()(event())).rejects.toThrow(`plan ${broken.id} cannot be read`);
    expect(await stateOf(tagged)).toMatchObject({ kind: 'paused', guard: alarm });
    await deleteItem(table(), keys.plan(envId, broken.id));
  });

  test('leaves plans that have ended', async () => {
    await applied('g', {});
    const plan = await applied('f', { guards: [alarm] });
    await store.plans.abort(envId, plan.id);
    await guard()(event());
    expect(await stateOf(plan)).toMatchObject({ kind: 'aborted' });
  });

  test('costs one read and no request to CloudWatch if no plan is open', async () => {
    for (const { id } of await store.environments.list()) {
      for (const plan of await store.plans.list(id)) await store.plans.abort(id, plan.id);
    }
    // Plans that have ended since are noticed here.
    await guard()(event());
    const calls: string[] = [];
    const call = () =>
      createGuard({
        table: table(({ name: command }, send) => {
          calls.push(command);
          return send();
        }),
        readAlarms: async () => {
          calls.push('DescribeAlarms');
          return [];
        },
        readTargets: async () => [],
      })(event());
    await call();
    expect(calls).toEqual(['Query']);
    await applied('f', {});
    await call();
    expect(calls).toEqual(['Query', 'Query', 'Query', 'DescribeAlarms']);
  });

  test('keeps the mark of an environment whose plan is created while its plans are read', async () => {
    const ended = await applied('f', {});
    await store.plans.abort(envId, ended.id);
    const created: Promise<ReleasePlan>[] = [];
    await guard(async ({ input }, send) => {
      const output = await send();
      const pk = (input as { ExpressionAttributeValues?: Record<string, { S?: string }> }).ExpressionAttributeValues;
      if (pk?.[':pk']?.S === `PLAN#${envId}` && created.length === 0) {
        created.push(applied('f', { guards: [alarm] }));
        await created[0];
      }
      return output;
    })(event());
    const [plan] = await Promise.all(created);
    await guard()(event());
    expect(plan && (await stateOf(plan))).toMatchObject({ kind: 'paused', guard: alarm });
  });

  test('does not take the tag of "production" for one of "prod"', async () => {
    const plans: ReleasePlan[] = [];
    for (const environment of [`prod ${envId}`, `prod ${envId}uction`]) {
      ({ id: envId } = (await store.environments.create(environment)).environment);
      await store.documents.import(envId, [{ kind: 'flag', document: aFlag({ key: 'f', name: 'before' }) }]);
      plans.push(await applied('f', {}));
      targets.unshift(`${environment}/f`);
    }
    const states = async () => {
      const found = await Promise.all(plans.map((plan) => readPlan(table(), plan.envId, plan.id)));
      return found.map((plan) => plan?.state.kind);
    };
    // In turn, so that each is the only one that could be found.
    const [ofLong = '', ofShort = ''] = targets;
    targets = [ofLong];
    await guard()(event());
    expect(await states()).toEqual(['running', 'paused']);
    targets = [ofLong, ofShort];
    await guard()(event());
    expect(await states()).toEqual(['paused', 'paused']);
  });
});

describe('the guards of a plan', () => {
  const refused = Object.assign(
    new Error('User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: tag:GetResources'),
    { name: 'AccessDeniedException' },
  );
  const tags = () => [{ name: 'tagged', targets: [`${name}/f`] }];
  const read = (plan: ReleasePlan, readTaggedAlarms: () => Promise<ReturnType<typeof tags>> = async () => tags()) =>
    createReadGuards({
      table: table(),
      readAlarms: async (names) => alarms.filter((each) => names.includes(each.name)),
      readTaggedAlarms: keepTaggedAlarms(readTaggedAlarms),
    })(plan);

  test('are the alarms that it names and those with a tag', async () => {
    const plan = await applied('f', { guards: [alarm] });
    alarms = [
      { name: alarm, arn: '', state: 'OK' },
      { name: 'tagged', arn: '', state: 'INSUFFICIENT_DATA' },
    ];
    expect(await read(plan)).toEqual({ kind: 'clear' });
    alarms = [
      { name: alarm, arn: '', state: 'OK' },
      { name: 'tagged', arn: '', state: 'ALARM' },
    ];
    expect(await read(plan)).toEqual({ kind: 'alarm', alarm: 'tagged' });
    expect(await read(await applied('g', {}))).toEqual({ kind: 'clear' });
    // The tags of a deleted alarm can be listed for some time.
    alarms = [{ name: alarm, arn: '', state: 'OK' }];
    expect(await read(plan)).toEqual({ kind: 'clear' });
  });

  test('pause it if one is missing or forbidden, and are read again after other failures', async () => {
    const plan = await applied('f', { guards: [alarm] });
    alarms = [];
    expect(await read(plan, async () => [])).toEqual({
      kind: 'unknown',
      reason: `guard "${alarm}" does not exist; create the alarm, or abort the plan`,
    });
    expect(await read(plan, () => Promise.reject(refused))).toEqual({
      kind: 'unknown',
      reason: 'its guards cannot be read: User: … is not authorized to perform: tag:GetResources',
    });
    await expect(read(plan, () => Promise.reject(new Error('throttled')))).rejects.toThrow('throttled');
  });

  test.each([refused, new Error('throttled')])(
    'are none if no known alarm has its name while tags give: %s',
    async (error) => {
      expect(await read(await applied('g', {}), () => Promise.reject(error))).toEqual({ kind: 'clear' });
    },
  );

  test('are those of the last tags that were read', async () => {
    const plan = await applied('f', {});
    let isRefused = false;
    const readTaggedAlarms = keepTaggedAlarms(() => (isRefused ? Promise.reject(refused) : Promise.resolve(tags())));
    const nextTick = () => createReadGuards({ table: table(), readAlarms: async () => [], readTaggedAlarms })(plan);
    expect(await nextTick()).toEqual({ kind: 'clear' });
    isRefused = true;
    expect(await nextTick()).toMatchObject({ kind: 'unknown' });
  });
});
