import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../dev/emulator/clock.ts';
import { createCloudWatch } from '../../dev/emulator/cloudwatch/service.ts';
import { serveServices } from '../../dev/emulator/endpoint/awsJson.ts';
import { Identities } from '../../dev/emulator/iam/identities.ts';
import { type Listening, listen } from '../../dev/emulator/listen.ts';
import { tick } from '../../functions/testing/tick.ts';
import { fireGuard } from '../../shared/store/plans/applyPlan.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { testSystemEffects } from '../../shared/store/testing/testTables.ts';
import { TestCli } from '../testing/cli.ts';

const HOUR = 3_600_000;
const YEAR = new Date().getUTCFullYear() + 1;
const by = `${userInfo().username}@${hostname()}`;

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
  await cli.run('create', 'f');
});
afterEach(() => cli.close());

/** The store some hours later. */
function later(hours: number) {
  const tables = { client: createDynamoDb(), flags: process.env['FLAGS_TABLE'] ?? '' };
  return { ...openStore(tables, { ...testSystemEffects, now: () => Date.now() + hours * HOUR }), tables };
}

const tickLater = async (hours: number) => expect(await tick(later(hours))).toEqual([]);
const flag = async () => (await cli.run('show', 'f', '--json')).out;
const rollout = (...steps: string[]) =>
  cli.run('plan', 'create', 'f', '--variation', 'true', ...steps.flatMap((step) => ['--step', step]));
/** The flag serves its other variation, so that a share can grow. */
const serveFalse = () => cli.run('rollout', 'f', 'false');

describe('plan create', () => {
  test('applies the step that is due now, and shows the others', async () => {
    await serveFalse();
    const created = await rollout('10%@now', '50%@+2h', '100@+1d');
    expect(created.out).toMatch(/^✓ created a plan in shop\nplan of flag "f" \(3 steps\): running\n/);
    expect(created.out).toContain(`created by ${by}, `);
    expect(created.out).toMatch(
      /^1 +\S+ \d\d:\d\d +Default rule: false 100 % → true 10 %, false 90 % +applied \S+ \d\d:\d\d$/m,
    );
    expect(created.out).toMatch(/^3 .* waiting$/m);
    expect(created.out).toMatch(/to abort: npm run flags -- plan abort f$/);
    expect(created.err).toContain('flag "f" is off: users get the shares once it is on: npm run flags -- on f');
    expect(JSON.parse(await flag()).fallthrough.variations).toMatchObject([
      { rollout: [0.9, 1] },
      { rollout: [0, 0.9] },
    ]);
    const [entry] = (await cli.run('history', 'f', '--json')).json;
    expect(entry.by).toMatch(/^plan p-\w+ of /);
    expect(entry.command).toMatch(/^step 1 of 3: plan create f --variation true/);

    await tickLater(3);
    expect((await cli.run('plan', 'list')).out).toMatch(/^flag "f"\trunning\t3 of 3, \S+ \d\d:\d\d$/m);
    expect((await cli.run('plan', 'list', '--verbose')).out).toMatch(/^p-\w+\tflag "f"\trunning\t3 of 3, \S+Z$/m);
    await tickLater(25);
    expect((await cli.run('plan', 'list')).out).toBe('there are no open plans');
    expect((await cli.run('plan', 'show', 'f', '--json')).json).toMatchObject({
      documentId: 'f',
      createdAt: expect.stringMatching(/Z$/),
      state: { kind: 'done', at: expect.stringMatching(/Z$/) },
      steps: [{ outcome: { kind: 'applied' } }, { at: expect.stringMatching(/Z$/) }, { outcome: { kind: 'applied' } }],
    });
  });

  test('grows a share in one rule', async () => {
    await cli.run('rule', 'add', 'f', 'false', '--name', 'Norway', '--if', 'country = NO');
    const inRule = (rule: string) =>
      cli.run('plan', 'create', 'f', '--rule', rule, '--variation', 'true', '--step', '10%@now', '--step', '100%@+1d');
    expect((await inRule('2')).err).toContain('flag "f" has no rule "2"; its rules are: 1 "Norway"');
    expect((await inRule('1')).out).toMatch(
      /^1 +\S+ \d\d:\d\d +Rule “Norway”: false 100 % → true 10 %, false 90 % +applied \S+ \d\d:\d\d$/m,
    );
    await cli.run('rule', 'remove', 'f', 'Norway');
    expect((await cli.run('plan', 'show', 'f')).out).toContain(', and the rule of the plan was removed');
    expect((await cli.run('plan', 'resume', 'f')).err).toMatch(
      /the rule of the plan was removed; undo the removal in the history, or abort the plan/,
    );
  });

  test('refuses steps that cannot be, with the way out', async () => {
    await serveFalse();
    const refusals: [steps: string[], message: string, code?: number][] = [
      [[], 'add a --step for each share'],
      [['10%'], '"10%" is not a step; write a share of 0 to 100 % and a time'],
      [['101%@now'], '"101%@now" is not a step'],
      [['10%@2030-01-01T09:00'], '"2030-01-01T09:00" has no time zone; write 2030-01-01T09:00Z for UTC'],
      [['10%@2020-01-01T09:00Z'], 'is in the past'],
      [['50%@+1h', '10%@+2h'], '10 % is too small: 50 % of the users have true already', 1],
      [['10%@+2h', '50%@+1h'], 'the steps must be in the order of their times', 1],
    ];
    for (const [steps, message, code = 2] of refusals) {
      expect(await rollout(...steps)).toMatchObject({ code, err: expect.stringContaining(message) });
    }
    expect((await cli.run('plan', 'create', 'f', '--step', '10%@now')).code).toBe(2);
    expect((await cli.run('plan', 'create', 'none', '--variation', 'true', '--step', '1%@now')).err).toContain(
      'there is no flag "none"',
    );
    await rollout('10%@+1h');
    expect((await rollout('20%@+1h')).err).toMatch(
      /flag "f" has an open plan already; wait for its end, or abort it \(plan abort\)/,
    );
    await cli.run('plan', 'abort', 'f');
    await cli.run('rollout', 'f', 'true');
    expect((await rollout('100%@+1h')).out).toMatch(/^no change: f serves true like this/);
  });
});

describe('plan resume, skip and abort', () => {
  test('work by the key of the flag; a manual edit is named before any tick', async () => {
    await serveFalse();
    await rollout('10%@+1h', '50%@+2h', '100%@+3h');
    expect((await cli.run('plan', 'resume', 'f')).out).toMatch(
      /^no change: the plan of flag "f" \(3 steps\) is not paused in shop$/,
    );
    expect((await cli.run('on', 'f')).err).toMatch(
      /^note: the plan of flag "f" \(3 steps\) is paused: \S+ changed the flag .*; to continue it: npm run flags -- plan resume f$/,
    );
    const { out } = await cli.run('plan', 'show', 'f');
    expect(out).toMatch(new RegExp(`of flag "f" \\(3 steps\\): paused: ${by} changed the flag \\S+ \\d\\d:\\d\\d`));
    expect(out).toMatch(/to continue: npm run flags -- plan resume f$/m);
    await tickLater(1.5);
    expect((await cli.run('plan', 'list', '--json')).json).toMatchObject([{ state: { kind: 'paused' } }]);

    expect((await cli.run('plan', 'resume', 'f')).out).toMatch(
      /^✓ the plan of flag "f" \(3 steps\) continues in shop; next: 1 of 3, /,
    );
    expect((await cli.run('create', 'g')).err).toBe('');
    expect((await cli.run('plan', 'skip', 'f')).out).toMatch(/skips a step in shop; next: 2 of 3, /);
    expect((await cli.run('plan', 'show', 'f')).out).toContain(`skipped by ${by}`);
    expect((await cli.run('plan', 'abort', 'f')).out).toMatch(
      /^✓ the plan of flag "f" \(3 steps\) is aborted in shop$/,
    );
    expect((await cli.run('plan', 'list', '--all')).out).toContain(`aborted by ${by}`);
    expect((await cli.run('plan', 'show', 'f')).out).toMatch(/not applied/);
    expect(await cli.run('plan', 'abort', 'f')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is aborted already'),
    });
    expect(await cli.run('plan', 'show', 'none')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no plan "none"'),
    });
  });

  test('refuse a name that several segments with plans have', async () => {
    const file = join(cli.directory, 'segments.json');
    writeFileSync(
      file,
      JSON.stringify([
        { id: 'f', name: 'x', included: [] },
        { id: 's', name: 'twin', included: [] },
        { id: 't', name: 'twin', included: [] },
      ]),
    );
    await cli.run('import', '--from', 'featbit', file);
    await serveFalse();
    await rollout('10%@+1h');
    for (const id of ['f', 's', 't']) await cli.run('segment', 'include', id, 'ann', '--at', '+1h');
    for (const name of ['twin', 'f']) {
      expect((await cli.run('plan', 'abort', name)).err).toMatch(
        new RegExp(`several flags or segments with plans are named "${name}"; use an id: p-\\w+, p-\\w+$`),
      );
    }
    expect((await cli.run('plan', 'show', 'x')).out).toContain('of segment "x"');
  });

  test('ask before they change production', async () => {
    await cli.run('env', 'mark', '--production', 'on');
    expect((await cli.run('off', 'f', '--at', '+1h')).err).toContain('marked as production; nothing was changed');
    expect((await cli.run('plan', 'abort', 'f')).err).toContain('marked as production; nothing was changed');
  });
});

describe('--at', () => {
  test('plans the change of one flag, and says how to abort it', async () => {
    const { out } = await cli.run('on', 'f', '--at', `${YEAR}-12-01T09:00+01:00`, '--reason', 'launch');
    expect(out).toMatch(
      /^scheduled for \d+ \w+ \d+ \d\d:\d\d: f is on in shop; to abort: npm run flags -- plan abort f$/,
    );
    expect(JSON.parse(await flag()).isEnabled).toBe(false);
    await tickLater(2 * 366 * 24);
    expect(JSON.parse(await flag()).isEnabled).toBe(true);
    const [entry] = (await cli.run('history', '--json')).json;
    expect(entry.command).toBe(`step 1 of 1: on f --at ${YEAR}-12-01T09:00+01:00 (launch)`);
  });

  test('works for every kind of change', async () => {
    await cli.run('segment', 'create', 'Beta', '--id', 'beta');
    const commands = [
      ['toggle', 'f'],
      ['off', 'f', '--serve', 'true'],
      ['archive', 'f'],
      ['delete', 'f'],
      ['rename', 'f', 'New'],
      ['describe', 'f', 'text'],
      ['tag', 'f', '--tag', 'web'],
      ['variation', 'edit', 'f', 'true', '--name', 'yes'],
      ['rule', 'add', 'f', 'true', '--if', 'in segment Beta', '--position', '1'],
      ['rollout', 'f', 'true=10', 'false=90'],
      ['target', 'f', 'false', 'bob'],
      ['segment', 'rename', 'Beta', 'Gamma'],
      ['segment', 'include', 'Beta', 'ann'],
      ['segment', 'exclude', 'Beta', 'ann'],
      ['segment', 'rule', 'add', 'Beta', '--if', 'plan=pro'],
      ['segment', 'archive', 'Beta'],
      ['segment', 'delete', 'Beta'],
    ];
    for (const command of commands) {
      const before = (await cli.run('export')).out;
      const { json, code } = await cli.run(...command, '--at', '+2h', '--json');
      expect([command, code]).toEqual([command, 0]);
      expect(json).toMatchObject({
        plans: [{ type: 'changes', steps: [{ outcome: { kind: 'waiting' } }] }],
        changes: [],
      });
      expect((await cli.run('export')).out).toBe(before);
      await tickLater(3);
      const [entry] = (await cli.run('history', '--json')).json;
      expect(entry.by).toContain(json.plans[0].id);
      await cli.run('undo', entry.version);
    }
  });

  test('plans a change of several flags, one plan for each that changes', async () => {
    await cli.run('create', 'g', '--on');
    const { out } = await cli.run('on', 'f', 'g', '--at', '+1h');
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^scheduled for .*: f is on/),
      expect.stringMatching(/^no change: g is on/),
    ]);
    expect((await cli.run('on', 'g', '--at', '+1h')).out).toMatch(/^no change: g is on/);
    expect((await cli.run('delete', 'g', '--at', '+1h')).out).toMatch(/: deleted flag "g" in shop; to abort: /);
  });

  test('adds a step to the open plan of a flag', async () => {
    await cli.run('on', 'f', '--at', '+1h');
    const { out } = await cli.run('off', 'f', '--at', '+9h');
    expect(out).toMatch(
      /^scheduled for \S+ \d\d:\d\d: f is off in shop \(step 2 of 2 of its plan\); to abort the plan: npm run flags -- plan abort f$/,
    );
    expect((await cli.run('plan', 'show', 'f')).out).toContain(`step 2 added by ${by}: off f --at +9h`);
    expect((await cli.run('off', 'f', '--at', '+10h')).out).toMatch(/^no change: f is off/);
    const early = await cli.run('rename', 'f', 'New', '--at', '+2h');
    expect([early.code, early.err]).toEqual([1, expect.stringContaining('a new step must be later')]);
    await tickLater(2);
    expect(JSON.parse(await flag()).isEnabled).toBe(true);
    await tickLater(10);
    expect(JSON.parse(await flag()).isEnabled).toBe(false);
    const [entry] = (await cli.run('history', '--json')).json;
    expect(entry.command).toBe('step 2 of 2: off f --at +9h');
  });

  test('needs a time with a zone, and is no position', async () => {
    const at = async (time: string) => (await cli.run('rule', 'add', 'f', 'true', '--if', 'a=b', '--at', time)).err;
    expect(await at('1')).toContain('"1" is not a time; for the position of a rule, write --position 1');
    expect(await at('2029-12-01T09:00')).toContain('has no time zone; write 2029-12-01T09:00Z for UTC');
    expect((await cli.run('create', 'new', '--at', '+1h')).code).toBe(2);
    expect((await cli.run('on', 'f', '--at', 'soon')).code).toBe(2);
    expect((await cli.run('on', 'f', '--at', 'now')).out).toMatch(/^✓ f is on in shop$/);
  });
});

describe('--guard', () => {
  let services: Listening;
  let client: CloudWatchClient;
  const set = (AlarmName: string, StateValue: 'OK' | 'ALARM') =>
    client.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'test' }));

  beforeEach(async () => {
    const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env;
    const identities = new Identities({ accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY });
    const alarms = createCloudWatch({ clock: systemClock, onChange: () => undefined });
    services = await listen(0);
    services.open((server) => serveServices(server, alarms, identities, () => undefined));
    process.env['AWS_ENDPOINT_URL_CLOUDWATCH'] = `http://127.0.0.1:${services.port}`;
    client = new CloudWatchClient({});
    await serveFalse();
    await set('errors', 'OK');
  });
  afterEach(async () => {
    delete process.env['AWS_ENDPOINT_URL_CLOUDWATCH'];
    client.destroy();
    await services.stop(500);
  });

  test('stores the alarm, and refuses to resume while it is in ALARM', async () => {
    const created = await cli.run(
      ...['plan', 'create', 'f', '--variation', 'true', '--step', '10%@now', '--step', '50%@+2h'],
      ...['--guard', 'errors', '--watch', '1h'],
    );
    expect(created.out).toContain('guards: errors\n');
    expect(created.out).toContain('end of the watch');
    const [plan] = (await cli.run('plan', 'list', '--json')).json;
    const tables = { client: createDynamoDb(), flags: process.env['FLAGS_TABLE'] ?? '' };
    const { client: dynamoDb, flags: name } = tables;
    await fireGuard({ client: dynamoDb, name, effects: testSystemEffects }, plan.envId, plan.id, {
      kind: 'alarm',
      name: 'errors',
    });
    expect((await cli.run('plan', 'show', 'f')).out).toMatch(
      /paused: guard "errors" is in ALARM; the applied steps were undone/,
    );
    await set('errors', 'ALARM');
    expect((await cli.run('plan', 'resume', 'f')).err).toContain('guard "errors" is in ALARM; wait until it is OK');
    await set('errors', 'OK');
    expect((await cli.run('plan', 'resume', 'f')).out).toContain('continues');
  });

  test.each([
    ['an alarm that does not exist', ['--guard', 'none'], 'there is no CloudWatch alarm "none"'],
    ['an alarm in ALARM', ['--guard', 'burning'], 'guard "burning" is in ALARM'],
    ['a watch without a guard', ['--watch', '1h'], '--watch needs a --guard'],
  ])('refuses %s', async (_, options, message) => {
    await set('burning', 'ALARM');
    expect((await cli.run('off', 'f', '--at', '+1h', ...options)).err).toContain(message);
    expect((await cli.run('plan', 'list')).out).toContain('no open plans');
  });

  test('names the permission that is missing', async () => {
    const denied = createServer((_, response) => {
      response.writeHead(400, { 'Content-Type': 'application/x-amz-json-1.0' });
      response.end('{"__type":"AccessDenied","message":"not authorized"}');
    }).listen(0, '127.0.0.1');
    await once(denied, 'listening');
    process.env['AWS_ENDPOINT_URL_CLOUDWATCH'] = `http://127.0.0.1:${(denied.address() as AddressInfo).port}`;
    const { err } = await cli.run('off', 'f', '--at', '+1h', '--guard', 'errors');
    expect(err).toContain('allow cloudwatch:DescribeAlarms for your AWS credentials');
    denied.close();
  });

  test('belongs to a plan', async () => {
    const now = await cli.run('off', 'f', '--guard', 'errors');
    expect([now.code, now.err]).toEqual([2, expect.stringContaining('add --at <time>')]);
  });
});

describe('--webhook', () => {
  test('prints the URL and the secret once, and needs no alarm', async () => {
    await serveFalse();
    const options = ['--step', '10%@now', '--step', '50%@+2h', '--webhook', '--watch', '1h'];
    const created = await cli.run('plan', 'create', 'f', '--variation', 'true', ...options);
    const [plan] = (await cli.run('plan', 'list', '--json')).json;
    const secret = (await later(0).plans.webhookSecrets(plan.envId))(plan.id);
    expect(created.out).toContain('\nguards: webhook\n');
    expect(created.out).toMatch(
      new RegExp(`\nwebhook: <WebhookUri>/guards/${plan.envId}/${plan.id}\nsecret: ${secret}$`),
    );
    expect(created.err).toContain('store the secret now: it is not shown again');
    expect(created.err).toContain('WebhookUri is an output of the stack that has the flags table');
    for (const format of [[], ['--json']]) {
      expect((await cli.run('plan', 'show', 'f', ...format)).out).not.toContain(secret);
    }
  });

  test('is in the JSON of the new plan, and resume reads no alarm after it', async () => {
    await serveFalse();
    const created = await cli.run(
      ...['plan', 'create', 'f', '--variation', 'true'],
      '--step',
      '10%@now',
      '--step',
      '50%@+2h',
      '--webhook',
      '--json',
    );
    const { plan, webhook } = created.json;
    expect(webhook).toEqual({ path: `/guards/${plan.envId}/${plan.id}`, secret: expect.stringMatching(/^[\w-]{43}$/) });
    const table = { client: createDynamoDb(), name: process.env['FLAGS_TABLE'] ?? '', effects: testSystemEffects };
    const request = { id: 'signature', expiresAt: Date.now() };
    await fireGuard(table, plan.envId, plan.id, { kind: 'webhook', name: 'webhook: errors', request });
    expect((await cli.run('plan', 'list')).out).toContain('paused: guard "webhook: errors" has fired');
    expect((await cli.run('plan', 'resume', 'f')).out).toContain('continues');
  });
});

test('alarm works only with npm start', async () => {
  expect((await cli.run('alarm', 'errors', 'ALARM')).err).toContain('alarm works only with npm start');
});
