import { stripVTControlCharacters } from 'node:util';
import type { Change, Replacement } from '@aws-sdk/client-cloudformation';
import { expect, test } from '@jest/globals';
import { describeChanges } from './stackChanges.ts';

const change = (Action: 'Add' | 'Modify' | 'Remove', type: string, id: string, replacement?: Replacement): Change => ({
  ResourceChange: {
    Action,
    ResourceType: `AWS::${type}`,
    LogicalResourceId: id,
    ...(replacement && { Replacement: replacement }),
  },
});

test('changes are grouped, the most dangerous first, and what leaves data behind says so', () => {
  const lines = describeChanges([
    change('Add', 'Lambda::Function', 'A'),
    change('Add', 'Lambda::Function', 'B'),
    change('Modify', 'Lambda::Function', 'C', 'False'),
    change('Modify', 'IAM::Role', 'D', 'Conditional'),
    change('Remove', 'SNS::Topic', 'E'),
    change('Remove', 'S3::BucketPolicy', 'F'),
    change('Modify', 'DynamoDB::GlobalTable', 'Flags', 'True'),
  ]);
  expect(lines.map(stripVTControlCharacters)).toEqual([
    '  replace       1 AWS::DynamoDB::GlobalTable (Flags): the service would not use its data any more',
    '  may replace   1 AWS::IAM::Role (D)',
    '  remove        1 AWS::S3::BucketPolicy (F)',
    '  remove        1 AWS::SNS::Topic (E)',
    '  change        1 AWS::Lambda::Function',
    '  add           2 AWS::Lambda::Function',
  ]);
});
