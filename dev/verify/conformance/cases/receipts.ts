import { describe, expect, test } from '@jest/globals';
import { isComplete, type Receipt, readReceipt } from '../../../../shared/store/connections/receipt.ts';
import type { StoredDocument } from '../../../../shared/store/documents/item.ts';
import { until } from '../../../../shared/testing/until.ts';
import { RawSocket } from '../../../support/rawSocket.ts';
import { NodeSdk } from '../clients/nodeSdk.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';

/** A receipt counts the connections that got a change: never more than there are, and in the end all. */
export function receiptCases(target: GetTarget): void {
  describe('a receipt', () => {
    test('counts real SDKs through changes, imports, dying connections and reconnects', async () => {
      const { receipts } = target();
      if (!receipts) throw new Error('the target has no receipts');
      const workspace = await Workspace.create(target());
      const { envId } = workspace;
      const { hosts } = target().store;
      const open = async (type: 'client' | 'server') => {
        const socket = await RawSocket.open(workspace.url(type));
        await socket.sync(type === 'client' ? { timestamp: 0, user: { keyId: 'u1' } } : { timestamp: 0 });
        return socket;
      };
      const sdk = await NodeSdk.start(workspace, 'streaming');
      const sockets = await Promise.all((['client', 'server', 'client', 'server'] as const).map(open));
      /** Waits until as many connections have a change, and no other lacks it. */
      const untilHanded = (written: readonly StoredDocument[], count: number): Promise<Receipt> => {
        const last = written.at(-1) as StoredDocument;
        const read = async () => {
          const receipt = await readReceipt(receipts, hosts, envId, { version: last.updatedAt, at: last.writtenAt });
          expect(receipt.handed).toBeLessThanOrEqual(5);
          return receipt;
        };
        return until(read, (receipt) => isComplete(receipt) && receipt.handed === count);
      };
      /** Checks whether each socket got the change, as the receipt says that it was handed to them. */
      const untilReceived = (texts: string) =>
        until(() => sockets.every((socket) => !socket.isOpen || socket.texts.some((text) => text.includes(texts))));

      expect(await untilHanded(await workspace.toggle('returns-true'), 5)).toMatchObject({ unknownHosts: [] });
      await sdk.becomes('returns-true', 'false');
      await untilHanded(await workspace.segment('556c11b2-f08a-4e10-b0b7-af8e008125b3', { excluded: ['x'] }), 5);
      const flags = flagDocuments(...['one', 'two', 'three'].map((key) => simpleFlag(key)));
      await untilHanded(await target().store.documents.import(envId, flags), 5);
      await untilReceived('three');

      // One connection ends without a close frame, one closes, and one SDK connects again.
      sockets[0]?.socket.terminate();
      await sockets[1]?.close();
      await untilHanded(await workspace.flag('four', {}), 3);
      sockets.push(await open('server'));
      await untilHanded(await workspace.flag('five', {}), 4);
      await untilReceived('five');
      await sdk.close();
      for (const socket of sockets) socket.socket.terminate();
    });
  });
}
