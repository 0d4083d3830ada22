import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import { testSystemEffects as effects, type TestStore } from '../../shared/store/testing/testTables.ts';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;
let tables: TestStore['tables'];
let id: string;

beforeAll(async () => {
  cli = await TestCli.start();
  ({ tables } = await cli.openService());
  id = (await cli.run('env', 'create', 'production', '--json')).json.id;
});
afterAll(() => cli.close());

const condition = (...keys: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } });
const reading = () => ({
  Effect: 'Allow',
  Action: ['dynamodb:GetItem', 'dynamodb:Query'],
  Resource: expect.stringMatching(new RegExp(`^arn:aws:dynamodb:.*:table/${tables.flags}$`)),
  Condition: condition(`ENV#${id}`, `VERSION#${id}#*`, `JOURNAL#${id}`, `SNAPSHOT#${id}#*`),
});

test('prints variables and the policy statement for SAM and Terraform', async () => {
  const { code, out, err } = await cli.run('env', 'access', 'production');
  expect(code).toBe(0);
  expect(out).toContain(`  Variables:\n    FLAGS_TABLE: ${tables.flags}\n    FLAGS_ENVIRONMENT: ${id}\n`);
  const [, yaml = ''] = /\n {2}- Statement:\n {6}- (.*)\n/.exec(out) ?? [];
  expect(JSON.parse(yaml)).toEqual(reading());
  expect(out).toContain(
    `environment { variables = { FLAGS_TABLE = "${tables.flags}", FLAGS_ENVIRONMENT = "${id}" } }\n` +
      `policy = jsonencode({ Version = "2012-10-17", Statement = [${yaml}] })`,
  );
  expect(err).toContain('FLAGS_MISSING_ATTRIBUTE');
  expect((await cli.run('env', 'access', id, '--json')).json).toEqual({
    variables: { FLAGS_TABLE: tables.flags, FLAGS_ENVIRONMENT: id },
    statements: [reading()],
  });
});

test('--usage adds the table of counts', async () => {
  expect(await cli.run('env', 'access', 'production', '--usage')).toMatchObject({
    code: 1,
    err: expect.stringContaining('does not count evaluations'),
  });
  await recordServiceTables({ client: tables.client, name: tables.flags, effects }, tables);
  const { json } = await cli.run('env', 'access', 'production', '--usage', '--json');
  expect(json.variables).toMatchObject({ FLAGS_USAGE_TABLE: tables.usage });
  expect(json.statements).toMatchObject([
    {},
    { Action: ['dynamodb:UpdateItem'], Condition: condition(`USAGE#${id}`, `USAGE#${id}#*`) },
  ]);
});

test('refuses an unknown environment', async () => {
  expect(await cli.run('env', 'access', 'none')).toMatchObject({ code: 1 });
});
