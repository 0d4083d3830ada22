import { describe, expect, test } from '@jest/globals';
import { findDeployment } from './deployment.ts';

const STACKS: Record<string, Record<string, string>> = {
  'Flagwire-prod-Data': { FlagsTableName: 'F', ConnectionsTableName: 'C' },
  'Flagwire-prod-Serverless': { StreamingUri: 'wss://s', PollingUri: 'https://h', EventsUri: 'https://e' },
};
const asked: string[] = [];
const describeStack = async (StackName: string) => {
  asked.push(StackName);
  const outputs = STACKS[StackName];
  if (!outputs)
    throw Object.assign(new Error(`Stack with id ${StackName} does not exist`), { name: 'ValidationError' });
  const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  return { StackName, Outputs, CreationTime: new Date(), StackStatus: 'CREATE_COMPLETE' as const };
};

describe('a deployment', () => {
  test('is found by the outputs of its stacks', async () => {
    const all = { flags: 'F', connections: 'C', streamingUrl: 'wss://s', httpUrl: 'https://h' };
    expect(await findDeployment({ deployment: 'Flagwire-prod' }, describeStack)).toEqual(all);
    expect(await findDeployment({ deployment: 'Flagwire-prod', streamingUrl: 'wss://own' }, describeStack)).toEqual({
      ...all,
      streamingUrl: 'wss://own',
    });
  });

  test('is found in the one stack of the release template, which has all outputs', async () => {
    const outputs = {
      FlagsTableName: 'F',
      ConnectionsTableName: 'C',
      StreamingUri: 'wss://s',
      PollingUri: 'https://h',
    };
    const Outputs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
    const describe = async (StackName: string) => ({
      ...(await describeStack('Flagwire-prod-Data')),
      StackName,
      Outputs,
    });
    const all = { flags: 'F', connections: 'C', streamingUrl: 'wss://s', httpUrl: 'https://h' };
    expect(await findDeployment({ deployment: 'flagwire', isOneStack: true }, describe)).toEqual(all);
  });

  test('is not looked up if its table is named', async () => {
    asked.length = 0;
    expect(await findDeployment({ deployment: 'Flagwire-prod', flags: 'T' }, describeStack)).toEqual({ flags: 'T' });
    expect(asked).toEqual([]);
  });

  test('is an error with the way out if it does not exist or cannot be read', async () => {
    await expect(findDeployment({ deployment: 'Flagwire-dev' }, describeStack)).rejects.toThrow(
      /^the stack Flagwire-dev-Data cannot be read: .* does not exist\. Set --name and --stage \(or --stack\) and --region, or .* --table$/,
    );
    const message =
      'User: u is not authorized to perform: cloudformation:DescribeStacks on resource: arn:x because no …';
    const refusing = async () => {
      throw Object.assign(new Error(message), { name: 'AccessDenied' });
    };
    await expect(findDeployment({ deployment: 'Flagwire-dev' }, refusing)).rejects.toThrow(
      'do not allow cloudformation:DescribeStacks on arn:x',
    );
    await expect(findDeployment({ deployment: 'Flagwire-dev' }, async () => undefined)).rejects.toThrow(
      'names no table',
    );
  });
});
