import { makeFlags, ONE_FLAG, type Peer, USER } from '../peer.ts';
import { startProgram, whyMissing } from '../program.ts';

const path = process.env['UNLEASH_EDGE'] ?? 'unleash-edge';
const TOKEN = '*:development.benchmark';

/** The open-source build of Unleash Edge, without an Unleash behind it. */
export const unleashEdge: Peer = {
  entry: 'unleash-edge',
  name: 'Unleash Edge',
  role: 'peer',
  missing: () => whyMissing(path, 'UNLEASH_EDGE'),
  start: async (_, count) => {
    const tokens = ['--client-tokens', TOKEN, '--frontend-tokens', TOKEN];
    const { address, ...started } = await startProgram(
      (file, port) => [path, '--port', String(port), 'offline', '--bootstrap-file', file, ...tokens],
      { version: 2, features: makeFlags(count, makeFeature) },
      '/internal-backstage/ready',
    );
    const data = (await (await fetch(`${address}/internal-backstage/instancedata`)).json()) as InstanceData;
    const headers = { authorization: TOKEN };
    const body = { userId: USER };
    return {
      ...started,
      version: data.this_instance.edgeVersion,
      one: { path: `/api/frontend/features/${ONE_FLAG}`, headers, body },
      all: { path: '/api/frontend', headers, body },
      readTrue: (answer) => (answer as { toggles: { name: string }[] }).toggles.map(({ name }) => name),
    };
  },
};

type InstanceData = { readonly this_instance: { readonly edgeVersion: string } };

function makeFeature(name: string, percent: number) {
  const parameters = { rollout: String(percent), stickiness: 'userId', groupId: name };
  const strategies = [{ name: 'flexibleRollout', parameters }];
  return { name, type: 'release', project: 'default', enabled: true, strategies };
}
