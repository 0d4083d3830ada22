import { describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { CuttableLine } from '../clients/cuttableLine.ts';
import { startRustSdk } from '../clients/rustSdk.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';
/** More than a message of API Gateway holds. */
const MANY = 400;

/** FeatBit's Rust SDK as it is published. */
export function rustSdkCases(target: GetTarget): void {
  describe('the Rust SDK', () => {
    test('starts, follows changes on one connection, and comes back for what it missed', async () => {
      const workspace = await Workspace.create(target());
      const line = await CuttableLine.to(target().streamingUrl);
      const streamingUrl = `ws://127.0.0.1:${line.port}`;
      const sdk = await startRustSdk({ ...workspace, target: { ...target(), streamingUrl } });
      const flags = referenceDocuments().filter(({ kind }) => kind === 'flag').length;
      await sdk.becomes('returns-true', 'true', flags);
      await sdk.becomes('custom-rule-with-segment', 'true', flags);
      await workspace.toggle('returns-true');
      await sdk.becomes('returns-true', 'false', flags);
      await workspace.segment(SEGMENT, { included: ['u1'] });
      await sdk.becomes('custom-rule-with-segment', 'false', flags);
      await workspace.flag('brand-new', {});
      expect((await sdk.becomes('brand-new', 'true', flags + 1)).connections).toBe(1);

      line.cut();
      await workspace.toggle('returns-true');
      await workspace.flag('brand-new', { isArchived: true });
      expect((await sdk.becomes('returns-true', 'true', flags)).connections).toBe(2);
      sdk.close();
      line.close();
    });

    test('gets an environment larger than a message without connecting twice, and follows changes', async () => {
      const documents = Array.from({ length: MANY }, (_, n) => simpleFlag(`flag-${n}`));
      const workspace = await Workspace.create(
        target(),
        documents.map((document) => ({ kind: 'flag', document })),
      );
      const sdk = await startRustSdk(workspace);
      const last = `flag-${MANY - 1}`;
      await sdk.becomes(last, 'true', MANY);
      await workspace.toggle(last);
      expect((await sdk.becomes(last, 'false', MANY)).connections).toBe(1);
      sdk.close();
    });
  });
}
