import { describe, expect, test } from '@jest/globals';
import type { Template } from '../../../../infra/inProcess.ts';
import { RawSocket } from '../../../support/rawSocket.ts';
import { Workspace } from '../../conformance/workspace.ts';
import { callAws, elements, formRequest } from '../awsCalls.ts';
import { deployedFunction, functionFor } from '../deployedFunction.ts';
import type { Deployment } from '../deployment.ts';
import type { DeployedTarget } from '../target.ts';

const SYNC = 'functions/lambda/sync.ts';
const DELIVER = 'functions/lambda/deliver.ts';

/** An update that fails is rolled back to the former stack. */
export function failedDeployCases(deployment: Deployment, target: DeployedTarget): void {
  describe('an update of a stack that fails after its function was updated', () => {
    test('is rolled back: the function has its former code and settings, and answers', async () => {
      const workspace = await Workspace.create(target);
      const waiting = await RawSocket.open(workspace.url('client'));
      await waiting.sync({ timestamp: 0, user: { keyId: 'u1' } });
      const sync = deployedFunction(deployment, SYNC);
      const before = await sync.configuration();

      // Other settings, so that its templates differ.
      const failing = deployment.redeploy({ missingAttribute: 'no-match' }, withFailingEnd);
      await expect(failing).rejects.toThrow('WaitCondition timed out');
      expect(await updatesOf(deployment, sync)).toEqual({ updates: 2, stack: 'UPDATE_ROLLBACK_COMPLETE' });
      const { CodeSha256, Handler, Environment } = await sync.configuration();
      expect({ CodeSha256, Handler, Environment }).toEqual({
        CodeSha256: before.CodeSha256,
        Handler: before.Handler,
        Environment: before.Environment,
      });

      const socket = await RawSocket.open(workspace.url('client'));
      expect((await socket.sync({ timestamp: 0, user: { keyId: 'u1' } })).data.featureFlags).toHaveLength(5);
      await workspace.toggle('returns-true');
      for (const each of [waiting, socket]) {
        expect((await each.next()).data).toMatchObject({ eventType: 'patch', featureFlags: [{ id: 'returns-true' }] });
        await each.close();
      }
    });
  });
}

/** Gives sync another program, and adds a later resource that fails, because it waits for a signal that is never sent. */
function withFailingEnd(template: Template): Template {
  const [sync, deliver] = [SYNC, DELIVER].map((entry) => functionFor(template, entry));
  if (!sync || !deliver) return template;
  const [id, resource] = sync;
  const Code = deliver[1].Properties?.['Code'];
  return {
    ...template,
    Resources: {
      ...template.Resources,
      [id]: { ...resource, Properties: { ...resource.Properties, Code } },
      Signal: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
      Never: {
        Type: 'AWS::CloudFormation::WaitCondition',
        Properties: { Handle: { Ref: 'Signal' }, Timeout: '1', Count: 1 },
        DependsOn: [id],
      },
    },
  };
}

/** Counts the updates of a function, by a deployment and by its rollback, and reads the status of its stack. */
async function updatesOf(
  { emulator }: Deployment,
  { stackName: StackName, logicalId }: ReturnType<typeof deployedFunction>,
) {
  const ask = (Action: string) => callAws(emulator, formRequest('cloudformation', '2010-05-15', { Action, StackName }));
  const events = await ask('DescribeStackEvents');
  const statuses = elements(events, 'ResourceStatus');
  const ids = elements(events, 'LogicalResourceId');
  const [stack] = elements(await ask('DescribeStacks'), 'StackStatus');
  return { updates: ids.filter((id, n) => id === logicalId && statuses[n] === 'UPDATE_COMPLETE').length, stack };
}
