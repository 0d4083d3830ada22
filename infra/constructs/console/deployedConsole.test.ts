import { describe, expect, test } from '@jest/globals';
import { evaluate, type Statement } from '../../../dev/emulator/iam/evaluate.ts';
import type { Settings } from '../../config/settingsSchema.ts';
import { functionWithEntry, resourcesOf, templateWith, textOf } from '../../stacks/testing/templates.ts';
import { newStack, synthesizeStack } from '../../testing/testStack.ts';
import { Flagwire } from '../flagwire.ts';

const EDITED = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const signIn = {
  issuer: 'https://shop.okta.com',
  clientId: '0oa1',
  clientSecret: 'flagwire/okta',
  viewers: ['readers'],
  editors: { Production: ['web'], [EDITED]: ['web', 'ops'] },
  administrators: ['flag-admins'],
};
const settings: Settings = {
  stage: 'dev',
  environments: ['Production'],
  console: { signIn, allowedCidrs: ['10.0.0.0/8'] },
};
const template = templateWith('Serverless', settings);
const handler = functionWithEntry(template, 'functions/lambda/console.ts');
const variables = (handler.properties['Environment'] as { Variables: Record<string, unknown> }).Variables;
const ROLE = /^Console(Viewer|Administrator|Editor[0-9a-f]{32})[0-9A-F]{8}$/;
const roles = resourcesOf(template, 'AWS::IAM::Role').filter(({ id }) => ROLE.test(id));
const own = (handler.properties['Role'] as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0];

function statementsOf(roleId: string): Statement[] {
  return resourcesOf(template, 'AWS::IAM::Policy')
    .filter(({ properties }) => (properties['Roles'] as { Ref: string }[]).some(({ Ref }) => Ref === roleId))
    .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement);
}

describe('the deployed console', () => {
  test('is no part of other deployments', () => {
    const { Outputs, Resources } = templateWith('Serverless', { stage: 'dev' });
    expect(Outputs).not.toHaveProperty('ConsoleUrl');
    expect(Object.keys(Resources).filter((id) => id.startsWith('Console'))).toEqual([]);
  });

  test('is one API with one route and one function, and limits requests', () => {
    const [api, ...others] = resourcesOf(template, 'AWS::ApiGatewayV2::Route').filter(
      ({ properties }) => textOf(properties['ApiId']) === '{ConsoleApi}',
    );
    expect(others).toEqual([]);
    expect(api?.properties).toMatchObject({ RouteKey: '$default', AuthorizationType: 'NONE' });
    const [stage] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage').filter(
      ({ properties }) => textOf(properties['ApiId']) === '{ConsoleApi}',
    );
    expect(stage?.properties).toMatchObject({
      DefaultRouteSettings: { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    });
    expect(textOf(template.Outputs?.['ConsoleUrl']?.Value)).toMatch(/^https:\/\/\{ConsoleApi\}[.]execute-api[.]/);
  });

  test('gets its settings without names of environments, and its secret by reference', () => {
    const found = JSON.parse(variables['SIGN_IN'] as string);
    expect(Object.keys(found.editors)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), EDITED]);
    expect(found).not.toHaveProperty('clientSecret');
    expect(variables).toMatchObject({
      SIGN_IN_SECRET: '{{resolve:secretsmanager:flagwire/okta}}',
      ALLOWED_CIDRS: '10.0.0.0/8',
    });
    expect(textOf(variables['CONSOLE_ORIGIN'])).toMatch(/^https:\/\/[^/]+$/);
    expect(textOf(variables['STREAMING_URL'])).toMatch(/^wss:/);
  });

  test('has a role for each right that the settings use, and names it to the function', () => {
    const found = JSON.parse(textOf(variables['SIGN_IN_ROLES']));
    const ids = roles.map(({ id }) => `{${id.replace(/[0-9A-F]{8}$/, '')}.Arn}`).sort();
    expect([found.viewer, found.administrator, ...Object.values(found.editors)].sort()).toEqual(ids);
    expect(roles).toHaveLength(4);
    const few = templateWith('Serverless', {
      ...settings,
      console: { signIn: { ...signIn, viewers: [], editors: {} } },
    });
    expect(
      resourcesOf(few, 'AWS::IAM::Role')
        .filter(({ id }) => ROLE.test(id))
        .map(({ id }) => id),
    ).toEqual([expect.stringMatching(/^ConsoleAdministrator/)]);
  });
});

describe('the function', () => {
  test('touches no table, and assumes the console’s roles only', () => {
    const found = statementsOf(own).map(({ Action, Resource }) => [
      [Action].flat(),
      [Resource].flat().map(textOf).sort(),
    ]);
    expect(found).toEqual([
      [['logs:CreateLogStream', 'logs:PutLogEvents'], [expect.stringMatching(/^\{ConsoleFunctionLogs/)]],
      [
        ['sts:AssumeRole', 'sts:SetSourceIdentity'],
        roles.map(({ id }) => `{${id.replace(/[0-9A-F]{8}$/, '')}.Arn}`).sort(),
      ],
    ]);
  });

  test('alone assumes them, and only in the name of a person', () => {
    for (const { id, properties } of roles) {
      const { Statement: trust } = properties['AssumeRolePolicyDocument'] as {
        Statement: (Statement & { Principal: { AWS: unknown } })[];
      };
      expect(trust.map(({ Principal }) => textOf(Principal.AWS))).toEqual(
        trust.map(() => `{${own.replace(/[0-9A-F]{8}$/, '')}.Arn}`),
      );
      const may = (action: string, person?: string) =>
        evaluate(trust, {
          action,
          resource: id,
          context: person === undefined ? {} : { 'sts:SourceIdentity': [person] },
        }).allowed;
      expect([may('sts:AssumeRole', 'ann'), may('sts:SetSourceIdentity', 'ann')]).toEqual([true, true]);
      expect([may('sts:AssumeRole'), may('sts:TagSession', 'ann')]).toEqual([false, false]);
    }
  });
});

describe('in flagwire-cdk', () => {
  const build = (editors: Record<string, string[]>) => {
    const stack = newStack();
    const flags = new Flagwire(stack, 'Flags', {
      environments: ['Production'],
      console: { signIn: { ...signIn, editors } },
    });
    return { flags, template: synthesizeStack(stack) };
  };

  test('is a property, and an output', () => {
    const { flags, template: found } = build({ Production: ['web'] });
    expect(flags.outputs).toHaveProperty('ConsoleUrl');
    const editor = `FlagsConsoleEditor${flags.environmentId('Production').replaceAll('-', '')}`;
    expect(resourcesOf(found, 'AWS::IAM::Role').map(({ id }) => id)).toContainEqual(expect.stringContaining(editor));
  });

  test('refuses an environment that is named twice', () => {
    const { flags } = build({});
    expect(() => build({ Production: ['a'], [flags.environmentId('Production')]: ['b'] })).toThrow(
      'names an environment twice',
    );
  });
});
