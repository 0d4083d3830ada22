import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { expect, test } from '@jest/globals';
import { CompareStage } from './compareStage.ts';

/** A stage whose Data stack goes through these statuses, with these events. */
function stageOf(statuses: readonly string[], events: readonly object[] = []) {
  const left = [...statuses];
  const sent: string[] = [];
  const send = async (command: { readonly input: { readonly StackName?: string } }) => {
    const name = command.constructor.name.replace('Command', '');
    sent.push(name);
    if (name === 'DescribeStackEvents') return { StackEvents: events };
    if (name === 'DeleteStack') return {};
    const { StackName = '' } = command.input;
    const status = StackName === 'Flagwire-compare-Data' || StackName === 'id' ? left.shift() : undefined;
    if (status === undefined) throw new Error(`Stack with id ${StackName} does not exist`);
    const StackStatusReason = 'The following resource(s) failed to delete: [Bucket].';
    return { Stacks: [{ StackName: 'Flagwire-compare-Data', StackId: 'id', StackStatus: status, StackStatusReason }] };
  };
  const cloudFormation = Object.assign(new CloudFormationClient({ region: 'us-east-1' }), { send }) as never;
  const stage = new CompareStage({
    cloudFormation,
    deployment: 'Flagwire-compare',
    say: () => {},
    pause: async () => {},
  });
  return { stage, sent };
}

test('waits until an update has ended before it deletes', async () => {
  const { stage, sent } = stageOf(['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE', 'DELETE_IN_PROGRESS', 'DELETE_COMPLETE']);
  expect(await stage.remove()).toEqual({ stacks: [], kept: [] });
  // Those of the four stacks that are not there come first.
  expect(sent.slice(4)).toEqual([
    'DescribeStacks',
    'DescribeStacks',
    'DeleteStack',
    'DescribeStacks',
    'DescribeStacks',
    'DescribeStackEvents',
  ]);
});

test('names what a deleted stack kept', async () => {
  const kept = {
    ResourceStatus: 'DELETE_SKIPPED',
    ResourceType: 'AWS::DynamoDB::GlobalTable',
    PhysicalResourceId: 'Flags',
  };
  const gone = { ResourceStatus: 'DELETE_COMPLETE', ResourceType: 'AWS::S3::Bucket', PhysicalResourceId: 'b' };
  const { stage } = stageOf(['CREATE_COMPLETE', 'DELETE_COMPLETE'], [gone, kept]);
  expect(await stage.remove()).toEqual({ stacks: [], kept: ['AWS::DynamoDB::GlobalTable Flags'] });
});

test('deletes a second time after a failure, then names the stack with the reason', async () => {
  const again = stageOf(['CREATE_COMPLETE', 'DELETE_FAILED', 'DELETE_FAILED', 'DELETE_COMPLETE']);
  expect(await again.stage.remove()).toEqual({ stacks: [], kept: [] });
  const { stage } = stageOf(['CREATE_COMPLETE', 'DELETE_FAILED', 'DELETE_FAILED', 'DELETE_FAILED']);
  const reason = 'The following resource(s) failed to delete: [Bucket].';
  expect(await stage.remove()).toEqual({ stacks: [`stack Flagwire-compare-Data: ${reason}`], kept: [] });
});

test('names an output that is missing', async () => {
  await expect(stageOf(['CREATE_COMPLETE']).stage.output('Data', 'FlagsTableName')).rejects.toThrow(
    'the stack Flagwire-compare-Data has no output FlagsTableName.',
  );
});
