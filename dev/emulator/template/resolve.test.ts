// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the dollar and braces are AWS’s own syntax
import { describe, expect, test } from '@jest/globals';
import { exampleTemplates } from '../testing/templates.ts';
import { readModel } from './resolve.ts';
import type { LocalAddresses } from './resourceValues.ts';
import type { Templates } from './template.ts';

const addresses: LocalAddresses = {
  gatewayUrl: 'http://127.0.0.1:4000',
  serviceUrl: 'http://127.0.0.1:5000',
  streamArn: (table) => `arn:stream:${table}`,
};

/** Resolves `value` as a property of some resource beside `resources`. */
function resolve(value: unknown, resources: Templates[string]['Resources'] = {}, others: Templates = {}): unknown {
  const templates = { ...others, S: { Resources: { ...resources, Probe: { Type: 'T', Properties: { value } } } } };
  return readModel(templates, addresses).resources('T')[0]?.property('value');
}

describe('local values of a synthesized template', () => {
  test('pseudo parameters, Join and Sub', () => {
    expect(resolve({ 'Fn::Join': ['-', [{ Ref: 'AWS::Region' }, { Ref: 'AWS::AccountId' }]] })).toBe(
      'us-east-1-000000000000',
    );
    expect(
      resolve({ 'Fn::Sub': '${AWS::StackName}.${!Literal}.${Q.QueueName}' }, { Q: { Type: 'AWS::SQS::Queue' } }),
    ).toBe('S.${Literal}.S-Q');
    expect(resolve({ 'Fn::Sub': '${AWS::Partition}!' })).toBe('aws!');
  });

  test('queues, tables and functions get stable names, addresses and ARNs', () => {
    const [fifo] = readModel(exampleTemplates, addresses)
      .resources('AWS::SQS::Queue')
      .filter(({ logicalId }) => logicalId === 'PushQueue');
    expect(fifo?.value()).toBe('http://127.0.0.1:5000/000000000000/Push-PushQueue.fifo');
    expect(fifo?.value('Arn')).toBe('arn:aws:sqs:us-east-1:000000000000:Push-PushQueue.fifo');
    expect(resolve({ 'Fn::GetAtt': ['T', 'StreamArn'] }, { T: { Type: 'AWS::DynamoDB::GlobalTable' } })).toBe(
      'arn:stream:S-T',
    );
    expect(resolve({ 'Fn::GetAtt': 'F.Arn' }, { F: { Type: 'AWS::Lambda::Function' } })).toBe(
      'arn:aws:lambda:us-east-1:000000000000:function:S-F',
    );
  });

  test('the URL of a stage becomes the local gateway', () => {
    const model = readModel(exampleTemplates, addresses);
    const echo = model.resources('AWS::Lambda::Function').find(({ logicalId }) => logicalId === 'EchoFn');
    expect(echo?.property('Environment')).toEqual({
      Variables: { CONNECTIONS_ENDPOINT: 'http://127.0.0.1:4000/streaming' },
    });
    const [api] = model.resources('AWS::ApiGatewayV2::Api');
    expect(api?.value('ApiEndpoint')).toBe('ws://127.0.0.1:4000');
  });

  test('imports cross stacks', () => {
    const data = {
      Data: {
        Resources: { T: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'flags' } } },
        Outputs: { O: { Value: { Ref: 'T' }, Export: { Name: 'Data:Table' } } },
      },
    };
    expect(resolve({ 'Fn::ImportValue': 'Data:Table' }, {}, data)).toBe('flags');
    expect(() => resolve({ 'Fn::ImportValue': 'Data:Other' }, {}, data)).toThrow('no stack exports "Data:Other"');
  });

  test('names an unsupported intrinsic or value', () => {
    expect(() => resolve({ 'Fn::FindInMap': ['a', 'b', 'c'] })).toThrow(
      'S: the emulator does not support Fn::FindInMap',
    );
    expect(() => resolve({ Ref: 'Nobody' })).toThrow('S: there is no resource "Nobody"');
    expect(() => resolve({ 'Fn::GetAtt': ['V', 'CidrBlock'] }, { V: { Type: 'AWS::EC2::VPC' } })).toThrow(
      'S/V (AWS::EC2::VPC): the emulator has no value for its "CidrBlock"',
    );
  });

  test('allows unsupported properties that are never read', () => {
    const model = readModel(
      { S: { Resources: { Probe: { Type: 'T', Properties: { odd: { 'Fn::Cidr': [] }, fine: 1 } } } } },
      addresses,
    );
    expect(model.resources('T')[0]?.property('fine')).toBe(1);
  });
});
