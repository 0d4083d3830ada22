import { describe, expect, test } from '@jest/globals';
import { SHARDS } from '../../../../shared/store/connections/connection.ts';
import { connect } from '../../../../shared/store/testing/connect.ts';
import { until } from '../../../../shared/testing/until.ts';
import { listVersions, RawSocket, type Received } from '../../../support/rawSocket.ts';
import { Workspace } from '../../conformance/workspace.ts';
import type { Deployment } from '../deployment.ts';
import { DeployedFunction } from '../functionFaults.ts';
import { PushQueue } from '../pushQueue.ts';
import type { DeployedTarget } from '../target.ts';

/** What fails passes: nothing is lost, nothing is sent twice, and what is gone disappears. */
export function faultCases(deployment: Deployment, target: DeployedTarget): void {
  describe('faults', () => {
    const connected = async (workspace: Workspace) => {
      const client = await RawSocket.open(workspace.url('client'));
      const server = await RawSocket.open(workspace.url('server'));
      await client.sync({ timestamp: 0, user: { keyId: 'u1' } });
      await server.sync({ timestamp: 0 });
      return [client, server] as const;
    };

    test.each([
      ['publish fails as a whole', 'functions/lambda/publish.ts', 'handler', 'with the retry'],
      ['deliver fails as a whole', 'functions/lambda/deliver.ts', 'handler', 'with the retry'],
      ['deliver cannot read connections', 'functions/lambda/deliver.ts', 'CONNECTIONS_TABLE', 'with the retry'],
      // Connections that cannot be reached are not waited for for ever: they are brought up to date by what comes next.
      ['deliver cannot send', 'functions/lambda/deliver.ts', 'CONNECTIONS_ENDPOINT', 'with the next change'],
    ] as const)('%s: what was written meanwhile arrives, once and in order', async (_name, entry, part, when) => {
      const workspace = await Workspace.create(target);
      const queue = await PushQueue.of(deployment);
      const broken = await DeployedFunction.of(deployment, entry);
      await queue.whileImpatient(async () => {
        const sockets = await connected(workspace);
        const toggle = async (key: string) => (await workspace.toggle(key)).map(({ updatedAt }) => updatedAt);
        const expectNext = async (versions: readonly number[]) => {
          for (const socket of sockets)
            for (const version of versions) expect(versionOf(await socket.next())).toBe(version);
        };
        await expectNext(await toggle('returns-true'));
        await queue.untilEmpty();

        const written: number[] = [];
        await broken.whileFailing(part, async () => {
          for (const key of ['returns-true', 'return-10p-true', 'returns-true']) written.push(...(await toggle(key)));
        });
        if (when === 'with the retry') await expectNext(written.splice(0));
        await queue.untilEmpty();
        await expectNext([...written, ...(await toggle('returns-true'))]);
        await queue.untilEmpty();
        for (const socket of sockets) {
          await socket.expectSilence();
          await socket.close();
        }
      });
      expect(await queue.undelivered()).toBe(0);
    });

    test('a gone connection disappears with the next change, and keeps nobody from it', async () => {
      const workspace = await Workspace.create(target);
      const { connections } = target;
      const [client, server] = await connected(workspace);
      await connect(connections, workspace.envId, {
        id: 'gone0000gone0000',
        type: 'server',
        requestedAt: Date.now(),
      });
      const [written] = await workspace.toggle('returns-true');
      for (const socket of [client, server]) expect(versionOf(await socket.next())).toBe(written?.updatedAt);
      await until(
        async () => connections.find(workspace.envId, 'gone0000gone0000'),
        (connection) => connection === undefined,
      );
      await client.close();
      server.terminate();
      // Closed or broken off, their own rows go too.
      await until(
        async () => (await connectionsIn(target, workspace.envId)).length,
        (left) => left === 0,
      );
    });
  });
}

async function connectionsIn({ connections }: DeployedTarget, envId: string) {
  const shards = Array.from({ length: SHARDS }, (_, shard) => connections.loadShard(envId, shard));
  return (await Promise.all(shards)).flatMap((shard) => shard.connections);
}

/** The version of the one item of a patch. */
function versionOf(message: Received): number {
  expect(message.data).toMatchObject({ eventType: 'patch', featureFlags: [{}] });
  return listVersions(message)[0] as number;
}
