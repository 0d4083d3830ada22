import { describe, expect, test } from '@jest/globals';
import { createDynamoDb } from '../../../../shared/store/table/table.ts';
import { until } from '../../../../shared/testing/until.ts';
import { HostProcess } from '../../../support/hostProcess.ts';
import { RawSocket } from '../../../support/rawSocket.ts';
import { PlayedAgent } from '../../conformance/clients/playedAgent.ts';
import { Workspace } from '../../conformance/workspace.ts';
import { callAws } from '../awsCalls.ts';
import type { Deployment } from '../deployment.ts';
import { type DeployedTarget, openTarget } from '../target.ts';

const RESTORED = 'flags-restored';

/** The commands of docs/operations/restore.md. */
export function restoreCases(deployment: Deployment, target: DeployedTarget): void {
  const { emulator } = deployment;
  const dynamoDb = async (operation: string, input: object) =>
    JSON.parse(
      await callAws(emulator, {
        service: 'dynamodb',
        target: `DynamoDB_20120810.${operation}`,
        body: JSON.stringify(input),
      }),
    );

  describe('a table that was restored under another name', () => {
    test('is adopted with all keys: those of SDKs and relays open it, and its changes are pushed', async () => {
      const workspace = await Workspace.create(target);
      const relay = await target.store.relays.create('agents', [workspace.envId]);

      const SourceTableName = deployment.outputs['FlagsTableName'];
      const restore = { SourceTableName, TargetTableName: RESTORED, UseLatestRestorableTime: true };
      await dynamoDb('RestoreTableToPointInTime', restore);
      const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' };
      await dynamoDb('UpdateTable', { TableName: RESTORED, StreamSpecification });
      const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
      await dynamoDb('UpdateTimeToLive', { TableName: RESTORED, TimeToLiveSpecification });
      const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
      await dynamoDb('UpdateContinuousBackups', { TableName: RESTORED, PointInTimeRecoverySpecification });
      await dynamoDb('UpdateTable', { TableName: RESTORED, DeletionProtectionEnabled: true });
      const { Table } = await dynamoDb('DescribeTable', { TableName: RESTORED });
      const adopting = await deployment.redeploy({ flagsTable: { existingStreamArn: Table.LatestStreamArn } });
      // The emulator takes no change of outputs alone.
      const outputs = { ...adopting.outputs, FlagsTableName: RESTORED };
      const restored = await openTarget(
        { emulator, outputs, stacks: adopting.stacks },
        createDynamoDb(emulator.clientConfig),
      );
      const same = workspace.at(restored);
      const gateway = await RawSocket.open(same.url('client'));
      const before = await gateway.sync({ timestamp: 0, user: { keyId: 'u1' } });
      const agent = new PlayedAgent(restored, relay.key);
      expect(await agent.connect()).toBe(101);
      await until(() => agent.events.length > 0);
      expect(agent.secrets.map(({ value }) => value)).toEqual(
        relay.record.environments.flatMap(({ secrets }) => secrets.map(({ value }) => value)),
      );

      const stack = { dynamoDbEndpoint: emulator.endpoint, tables: { flags: RESTORED } };
      const host = await HostProcess.start(stack, { PORT: '0' });
      try {
        const onHost = same.at({ ...restored, streamingUrl: `ws://127.0.0.1:${host.port}` });
        const socket = await RawSocket.open(onHost.url('client'));
        expect((await socket.sync({ timestamp: 0, user: { keyId: 'u1' } })).data).toEqual(before.data);

        // The table that was restored from gets nothing of this.
        await same.toggle('returns-true');
        expect((await gateway.next()).data).toMatchObject({ eventType: 'patch' });
        // The first write makes the restored environment another one: a host ends connections, whose SDKs then get everything.
        await socket.closed;
        const again = await RawSocket.open(onHost.url('client'));
        const { data } = await again.sync({ timestamp: Date.now(), user: { keyId: 'u1' } });
        expect(data).toMatchObject({ eventType: 'full' });
        for (const each of [gateway, again]) await each.close();
        await agent.terminate();
      } finally {
        await host.stop();
      }
      await dynamoDb('UpdateTable', { TableName: RESTORED, DeletionProtectionEnabled: false });
      await dynamoDb('DeleteTable', { TableName: RESTORED });
    });
  });
}
