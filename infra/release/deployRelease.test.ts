import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Change, CloudFormationClient, type Stack, type StackEvent } from '@aws-sdk/client-cloudformation';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type DeployDeps, type DeploySettings, deployRelease } from './deployRelease.ts';
import { awsError, type PlayedRequest, playClient } from './testing/playedClient.ts';

const path = mkdtempSync(join(tmpdir(), 'flagwire-test-'));
mkdirSync(join(path, 'flagwire-1.0.0'));
writeFileSync(join(path, 'template.json'), '{}');
afterAll(() => rmSync(path, { recursive: true }));

const identity = { account: '123456789012', arn: 'arn:aws:iam::123456789012:user/me' };
const accepted: DeploySettings = { ...identity, region: 'eu-west-1', stack: 'flags', isAccepted: true };
const OUTPUTS = [
  { OutputKey: 'StreamingUri', OutputValue: 'wss://x' },
  { OutputKey: 'FlagsCli', OutputValue: 'FLAGS_TABLE=t npx flagwire flags env create production' },
];
const stackIn = (StackStatus: string): Stack =>
  ({
    StackStatus,
    Parameters: [{ ParameterKey: 'AssetsBucket', ParameterValue: 'b' }],
    Outputs: OUTPUTS,
  }) as unknown as Stack;
const ADDED: Change[] = ['A', 'B'].map((LogicalResourceId) => ({
  ResourceChange: { Action: 'Add', ResourceType: 'AWS::SQS::Queue', LogicalResourceId },
}));
const event = (EventId: string, ResourceStatus: string, ResourceStatusReason = ''): StackEvent =>
  ({
    EventId,
    ResourceStatus,
    ResourceStatusReason,
    LogicalResourceId: EventId.slice(0, 1),
    ResourceType: EventId.startsWith('S') ? 'AWS::CloudFormation::Stack' : 'AWS::SQS::Queue',
  }) as StackEvent;

/** The end of a deployment. */
const end = (status: string) => event('S9', status);

const said: string[] = [];
const printed: string[] = [];
const requests: PlayedRequest[] = [];
beforeEach(() => {
  for (const list of [said, printed, requests]) list.length = 0;
});

/** What CloudFormation does. */
interface Played {
  /** States of the stack, one for each read. The last one stays. */
  readonly stacks: readonly (Stack | undefined)[];
  /** Events, newest first, by read. The last ones stay. */
  readonly events?: readonly (readonly StackEvent[])[];
  readonly changes?: readonly Change[];
  /** Why the change set fails. */
  readonly refusal?: string;
}

/** Deploys into a played account. @param answer of the operator */
function deploy(played: Played, settings = accepted, answer?: string): Promise<boolean> {
  const stacks = [...played.stacks];
  const events = [...(played.events ?? [[], [end('UPDATE_COMPLETE')]])];
  const shift = <T>(list: T[]) => (list.length > 1 ? list.shift() : list[0]) as T;
  const cloudFormation = playClient(
    new CloudFormationClient({ region: 'eu-west-1' }),
    ({ operation }) => {
      if (operation === 'DescribeStacks') {
        const stack = shift(stacks);
        if (stack === undefined) throw awsError('ValidationError', 'Stack with id flags does not exist');
        return { Stacks: [stack] };
      }
      if (operation === 'DescribeStackEvents') return { StackEvents: shift(events) };
      if (operation !== 'DescribeChangeSet') return {};
      if (played.refusal) return { Status: 'FAILED', StatusReason: played.refusal };
      return { Status: 'CREATE_COMPLETE', Changes: played.changes ?? ADDED };
    },
    requests,
  );
  const deps: DeployDeps = {
    cloudFormation,
    s3: playClient(new S3Client({ region: 'eu-west-1' }), () => ({}), []),
    release: { path, version: '1.0.0' },
    prompt: { isTerminal: answer !== undefined, ask: async () => answer ?? '' },
    say: (line) => said.push(line),
    print: (line) => printed.push(line),
    pause: async () => {},
  };
  return deployRelease(settings, deps);
}

const asked = () => requests.map(({ operation }) => operation);
const inputOf = (operation: string) => requests.find((request) => request.operation === operation)?.input;

describe('a new stack', () => {
  test('is created, and the next command is printed', async () => {
    const events = [
      [],
      [event('A1', 'CREATE_IN_PROGRESS')],
      [
        end('CREATE_COMPLETE'),
        event('B1', 'CREATE_COMPLETE'),
        event('A2', 'CREATE_COMPLETE'),
        event('A1', 'CREATE_IN_PROGRESS'),
      ],
    ];
    expect(
      await deploy({ stacks: [undefined, stackIn('CREATE_IN_PROGRESS'), stackIn('CREATE_COMPLETE')], events }),
    ).toBe(true);
    expect(inputOf('CreateChangeSet')).toMatchObject({
      ChangeSetType: 'CREATE',
      Capabilities: ['CAPABILITY_IAM'],
      Parameters: [{ ParameterKey: 'AssetsBucket', ParameterValue: 'flagwire-assets-123456789012-eu-west-1' }],
    });
    expect(asked()).toContain('ExecuteChangeSet');
    expect(said.slice(-3)).toEqual([
      '  add           2 AWS::SQS::Queue',
      '    1 of 2  CREATE_COMPLETE  AWS::SQS::Queue A',
      '    2 of 2  CREATE_COMPLETE  AWS::SQS::Queue B',
    ]);
    expect(printed).toEqual([
      'StreamingUri         wss://x',
      '\nCreate an environment. The command prints its SDK keys:\n  FLAGS_TABLE=t npx flagwire flags env create production',
    ]);
  });

  test('names the first reasons of a failure, and the way to delete the stack', async () => {
    const failed = [
      end('ROLLBACK_COMPLETE'),
      event('B1', 'CREATE_FAILED', 'Resource creation cancelled'),
      event('A1', 'CREATE_FAILED', 'no such role'),
    ];
    expect(await deploy({ stacks: [undefined, stackIn('ROLLBACK_COMPLETE')], events: [[], failed] })).toBe(false);
    expect(said.slice(-4)).toEqual([
      '  AWS::SQS::Queue A: no such role',
      'The deployment failed. Stack flags is ROLLBACK_COMPLETE.',
      'All events: aws cloudformation describe-stack-events --stack-name flags --region eu-west-1',
      expect.stringMatching(
        /^Before you deploy again, delete the stack.*aws cloudformation delete-stack --stack-name flags/,
      ),
    ]);
    expect(printed).toEqual([]);
  });
});

describe('an existing stack', () => {
  const stacks = [stackIn('UPDATE_COMPLETE'), stackIn('UPDATE_COMPLETE')];

  test('keeps its address for alarms, and only events of this deployment and its changes count', async () => {
    const old = event('O1', 'CREATE_COMPLETE');
    expect(
      await deploy({
        stacks,
        events: [
          [old],
          [old],
          [end('UPDATE_COMPLETE'), event('U1', 'UPDATE_COMPLETE'), event('A1', 'UPDATE_COMPLETE'), old],
        ],
      }),
    ).toBe(true);
    expect(inputOf('CreateChangeSet')).toMatchObject({
      ChangeSetType: 'UPDATE',
      Parameters: [{}, { ParameterKey: 'AlarmEmail', UsePreviousValue: true }],
    });
    expect(said.filter((line) => / of 2 /.test(line))).toEqual(['    1 of 2  UPDATE_COMPLETE  AWS::SQS::Queue A']);
    expect(printed).toEqual(['StreamingUri         wss://x']);
  });

  test('gets another address', async () => {
    await deploy({ stacks }, { ...accepted, alarmEmail: '' });
    expect(inputOf('CreateChangeSet').Parameters[1]).toEqual({ ParameterKey: 'AlarmEmail', ParameterValue: '' });
  });

  test('skips a stack that has the release already', async () => {
    expect(await deploy({ stacks, refusal: "The submitted information didn't contain changes." })).toBe(true);
    expect(asked().at(-1)).toBe('DeleteChangeSet');
    expect(said.at(-1)).toBe('Stack flags has this release already.');
    expect(printed).toEqual(['StreamingUri         wss://x']);
  });

  test.each([
    ['of something else', { StackStatus: 'CREATE_COMPLETE' }, 'Stack flags was not created from this template.'],
    ['in another deployment', stackIn('UPDATE_IN_PROGRESS'), 'is UPDATE_IN_PROGRESS. Wait until it is complete'],
    ['after a failed creation', stackIn('ROLLBACK_COMPLETE'), 'is ROLLBACK_COMPLETE. Before you deploy again, delete'],
  ])('%s is refused before anything is uploaded or changed', async (_, stack, message) => {
    await expect(deploy({ stacks: [stack as Stack] })).rejects.toThrow(message);
    expect(asked()).toEqual(['DescribeStacks']);
  });
});

describe('consent', () => {
  const stacks = [undefined, stackIn('CREATE_COMPLETE')];
  const asking = { ...accepted, isAccepted: false };

  test.each(['y', 'YES '])('is given by %j', async (answer) => {
    expect(await deploy({ stacks }, asking, answer)).toBe(true);
  });

  test.each(['', 'n'])('is refused by %j, and the change set is deleted', async (answer) => {
    expect(await deploy({ stacks: [stackIn('CREATE_COMPLETE')] }, asking, answer)).toBe(false);
    expect(asked().at(-1)).toBe('DeleteChangeSet');
    expect(asked()).not.toContain('ExecuteChangeSet');
  });

  test('is refused for a new stack, and the empty stack is deleted', async () => {
    expect(await deploy({ stacks: [undefined, stackIn('REVIEW_IN_PROGRESS')] }, asking, 'n')).toBe(false);
    expect(asked().slice(-3)).toEqual(['DeleteChangeSet', 'DescribeStacks', 'DeleteStack']);
  });

  test('is refused for a new stack that somebody else deploys, and the stack stays', async () => {
    expect(await deploy({ stacks: [undefined, stackIn('CREATE_IN_PROGRESS')] }, asking, 'n')).toBe(false);
    expect(asked()).not.toContain('DeleteStack');
  });

  test('needs a terminal or --yes', async () => {
    await expect(deploy({ stacks }, asking)).rejects.toThrow('Add --yes.');
    expect(requests).toEqual([]);
  });
});

test('a region with a small quota is refused, with the way out', async () => {
  await expect(deploy({ stacks: [undefined] }, { ...accepted, region: 'af-south-1' })).rejects.toThrow(
    /af-south-1 accepts 2,500 requests a second by default, and this template needs 10,000.*throttlingRate: 2500/,
  );
});

test('the reason of CloudFormation for refusing the template is given', async () => {
  await expect(deploy({ stacks: [undefined], refusal: 'a bad template' })).rejects.toThrow(
    'CloudFormation refuses the template: a bad template',
  );
});

describe('an interrupted command does not stop the deployment, and says so', () => {
  const continues = expect.stringContaining('The deployment continues in AWS. See its events: aws cloudformation');

  test('an error', async () => {
    const bad = {
      get StackStatus(): never {
        throw new Error('expired');
      },
    } as unknown as Stack;
    await expect(deploy({ stacks: [undefined, bad] })).rejects.toThrow('expired');
    expect(said.at(-1)).toEqual(continues);
  });

  test('Ctrl-C', async () => {
    const exit = jest.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const interrupted = {
      get StackStatus() {
        process.emit('SIGINT');
        return 'CREATE_COMPLETE';
      },
    } as Stack;
    await deploy({ stacks: [undefined, interrupted] });
    expect(exit).toHaveBeenCalledWith(1);
    expect(said).toContainEqual(continues);
    exit.mockRestore();
  });
});
