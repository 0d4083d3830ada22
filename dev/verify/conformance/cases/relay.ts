import { describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { until } from '../../../../shared/testing/until.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import { PlayedAgent } from '../clients/playedAgent.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';
import { openSocket, untilEnd } from './untilEnd.ts';

const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';

/** FeatBit's agent, played from its source: registration, everything with the secrets, changes of all its environments. */
export function relayCases(target: GetTarget): void {
  describe('FeatBit’s agent', () => {
    const doesClose = () => target().differences?.has('refuses-with-4003') ?? false;

    /** An agent of two environments, connected and synchronised. */
    const start = async (documents = referenceDocuments()) => {
      const workspaces = [await Workspace.create(target(), documents), await Workspace.create(target())] as const;
      const relay = await target().store.relays.create('agents', [workspaces[0].envId, workspaces[1].envId]);
      const agent = new PlayedAgent(target(), relay.key);
      untilEnd({ close: () => agent.terminate() });
      expect(await agent.connect()).toBe(101);
      await until(() => agent.events.length > 0);
      return { workspaces, relay, agent };
    };

    test('registers, gets all environments with its secrets, then their changes in order, each once', async () => {
      const { workspaces, relay, agent } = await start();
      const [shop, blog] = workspaces;
      expect(await agent.register('agent-1')).toEqual([200, 'agent-1']);
      expect(agent.events).toEqual(['rp_full']);
      expect(agent.secrets.map(({ type, envId, value }) => [type, envId, value])).toEqual(
        relay.record.environments.flatMap(({ envId, secrets }) =>
          secrets.map(({ type, value }) => [type, envId, value]),
        ),
      );
      expect(agent.items.size).toBe(2 * referenceDocuments().length);
      expect(agent.passedOn).toEqual([]);

      agent.sendStatus();
      agent.ping();
      await until(() => agent.pongs === 1);
      await shop.toggle('returns-true');
      await until(() => agent.passedOn.length === 1);
      await blog.segment(SEGMENT, { excluded: ['x'] });
      await until(() => agent.passedOn.length === 3);
      await shop.flag('brand-new', {});
      await until(() => agent.passedOn.length === 4);
      expect(agent.passedOn.map(({ envId, key, id }) => [envId, key ?? id])).toEqual([
        [shop.envId, 'returns-true'],
        [blog.envId, SEGMENT],
        [blog.envId, 'custom-rule-with-segment'],
        [shop.envId, 'brand-new'],
      ]);
      expect(agent.events.slice(1)).toEqual(['patch', 'patch', 'patch', 'patch']);
    });

    test('comes back with its cursors, and is told what it missed of each environment, in order', async () => {
      const { workspaces, agent } = await start();
      const [shop, blog] = workspaces;
      await agent.terminate();
      await shop.segment(SEGMENT, { excluded: ['x'] });
      await shop.toggle('returns-true');
      await agent.connect();
      await until(() => agent.events.length === 2);
      expect(agent.events).toEqual(['rp_full', 'rp_patch']);
      expect(agent.passedOn.map(({ envId, key, id }) => [envId, key ?? id])).toEqual([
        [shop.envId, SEGMENT],
        [shop.envId, 'custom-rule-with-segment'],
        [shop.envId, 'returns-true'],
      ]);
      await agent.terminate();
      await agent.connect();
      await until(() => agent.events.length === 3);
      expect(agent.passedOn).toHaveLength(3);
      await blog.toggle('returns-true');
      await until(() => agent.passedOn.length === 4);
    });

    test('gets environments that are larger than a message whole, and goes on from there', async () => {
      const large = Array.from({ length: 500 }, (_, n) => simpleFlag(`flag-${n}`, { description: 'x'.repeat(500) }));
      const { workspaces, agent } = await start(flagDocuments(...large));
      await until(() => agent.items.size === large.length + referenceDocuments().length);
      expect(agent.events.length > 1).toBe(!target().differences?.has('answers-whole'));
      expect(agent.secrets).toHaveLength(4);
      await workspaces[0].toggle('flag-499');
      await until(() => agent.item(workspaces[0].envId, 'flag-499')?.['isEnabled'] === false);
    });

    test('gives its SDKs secrets that open the service itself as well', async () => {
      const { workspaces, relay } = await start();
      const { secrets } = relay.record.environments[0] ?? { secrets: [] };
      const value = secrets.find(({ type }) => type === 'server')?.value ?? '';
      const sdk = untilEnd(await NodeSdk.start({ ...workspaces[0], target: target(), serverKey: value } as Workspace));
      await sdk.becomes('returns-true', 'true');
    });

    test('is refused without a relay key, or with one that is unknown; environment secrets are none', async () => {
      const { workspaces, agent } = await start();
      await agent.terminate();
      const refused = async (key: string) => {
        const stranger = new PlayedAgent(target(), key);
        const [registered] = await stranger.register('agent-1');
        const status = await stranger.connect();
        return [registered, status === 101 ? await stranger.closed : status];
      };
      const malformed = target().differences?.has('unauthorized-is-500') ? 500 : 401;
      expect(await refused(`rp-${'A'.repeat(44)}`)).toEqual([401, doesClose() ? 4003 : 403]);
      expect(await refused(workspaces[0].serverKey)).toEqual([401, doesClose() ? 4003 : malformed]);
    });

    test('is let go when its key is revoked, with the SDKs of its secrets; an environment’s own stay', async () => {
      const { workspaces, relay, agent } = await start();
      const [shop] = workspaces;
      const own = await openSocket(shop.url('server'));
      await own.sync({ timestamp: 0 });
      await target().store.relays.revoke(relay.record.id);
      // It does not connect again after these codes.
      expect(await agent.closed).toBe(doesClose() ? 4003 : 1000);
      await shop.toggle('returns-true');
      expect((await own.next()).data.featureFlags).toHaveLength(1);
      expect(agent.passedOn).toEqual([]);
    }, 90_000);
  });
}
