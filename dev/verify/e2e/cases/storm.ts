import { expect, test } from '@jest/globals';
import { until } from '../../../../shared/testing/until.ts';
import { listVersions, RawSocket, type Received } from '../../../support/rawSocket.ts';
import type { Report } from '../../../support/tools/python.ts';
import { BrowserSdk, forgetBrowserStorage } from '../../conformance/clients/browserSdk.ts';
import { NodeSdk } from '../../conformance/clients/nodeSdk.ts';
import type { Target } from '../../conformance/target.ts';
import { simpleFlag, Workspace } from '../../conformance/workspace.ts';

const CHANGES = 500;
const FLAGS = 10;
const SOCKETS = 46;

/** Hundreds of changes within seconds, to fifty clients. */
export function stormCases(target: Target, report: Report): void {
  test(`a toggle storm of ${CHANGES} changes reaches ${SOCKETS} connections and 4 SDKs, complete and in order`, async () => {
    forgetBrowserStorage();
    const keys = Array.from({ length: FLAGS }, (_, i) => `storm-${i}`);
    const documents = keys.map((key) => ({ kind: 'flag' as const, document: simpleFlag(key) }));
    const workspace = await Workspace.create(target, documents);
    const sockets: RawSocket[] = [];
    for (let i = 0; i < SOCKETS; i++) {
      const socket = await RawSocket.open(workspace.url(i % 2 ? 'client' : 'server'));
      await socket.sync({ timestamp: 0, ...(i % 2 ? { user: { keyId: `u${i}` } } : {}) });
      sockets.push(socket);
    }
    const sdks = [
      await NodeSdk.start(workspace),
      await NodeSdk.start(workspace),
      await BrowserSdk.start(workspace, 'u1'),
      await BrowserSdk.start(workspace, 'u2'),
    ];

    const heardAtStart = sdks.map(({ updates }) => updates.length);
    const start = performance.now();
    const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
    const written: number[] = [];
    for (let change = 0; change < CHANGES; change++) {
      const key = keys[change % FLAGS] as string;
      for (const { updatedAt } of await workspace.toggle(key)) written.push(updatedAt);
    }
    report(`storm: ${CHANGES} changes written in ${seconds()} s`);
    const seen = await Promise.all(
      sockets.map(async (socket) => {
        const versions: number[] = [];
        while (versions.length < CHANGES) versions.push(versionOf(await socket.next()));
        return versions;
      }),
    );
    report(`storm: ${CHANGES * SOCKETS} patches received after ${seconds()} s`);
    for (const versions of seen) expect(versions).toEqual(written);
    for (const [i, sdk] of sdks.entries()) {
      // That the sockets have all says nothing of the SDKs, which are served apart.
      const heard = () => sdk.updates.slice(heardAtStart[i]);
      await until(heard, ({ length }) => length >= CHANGES);
      const changed = Array.from({ length: CHANGES }, (_, change) => keys[change % FLAGS]);
      // The browser's SDK tells of a change once it has hashed its user, on some thread: two at once swap now and then.
      if (sdk instanceof NodeSdk) expect(heard()).toEqual(changed);
      else expect(heard().toSorted()).toEqual(changed.toSorted());
      // Every flag was switched an even number of times.
      for (const key of keys) expect(await sdk.value(key)).toBe('true');
    }
    for (const socket of sockets) await socket.expectSilence();
    await Promise.all([...sockets, ...sdks].map((client) => client.close()));
  });
}

function versionOf(message: Received): number {
  const versions = listVersions(message);
  expect(versions).toHaveLength(1);
  return versions[0] as number;
}
