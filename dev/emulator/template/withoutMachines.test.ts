import { expect, test } from '@jest/globals';
import { withoutMachines } from './template.ts';

test('leaves out a function that starts and stops a machine, with its schedule and permission, and nothing else', () => {
  const targets = (id: string) => ({ Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] } }] });
  const uses = (of: unknown) => ({ Environment: { Variables: { ID: of } } });
  const Resources = {
    Machine: { Type: 'AWS::EC2::Instance' },
    Tier: { Type: 'AWS::Lambda::Function', Properties: uses({ Ref: 'Machine' }) },
    Sync: { Type: 'AWS::Lambda::Function', Properties: uses({ Ref: 'Table' }) },
    EachMinute: { Type: 'AWS::Events::Rule', Properties: targets('Tier') },
    Permission: { Type: 'AWS::Lambda::Permission', Properties: { FunctionName: { 'Fn::GetAtt': ['Tier', 'Arn'] } } },
    Others: { Type: 'AWS::Events::Rule', Properties: targets('Sync') },
  };
  const { Machine, Sync, Others } = Resources;
  const Outputs = { Id: { Value: 'x' } };
  const other = { Resources: { Table: { Type: 'AWS::DynamoDB::Table' } } };
  expect(withoutMachines({ host: { Resources, Outputs }, other, none: {} })).toEqual({
    host: { Resources: { Machine, Sync, Others }, Outputs },
    other,
    none: { Resources: {} },
  });
});
