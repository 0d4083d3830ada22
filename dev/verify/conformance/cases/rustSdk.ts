import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { referenceDocuments } from '../../../../shared/reference-data/documents.ts';
import { rustProgram } from '../../../support/tools/rust.ts';
import { CuttableLine } from '../clients/cuttableLine.ts';
import { DrivenSdk } from '../clients/lineProcess.ts';
import type { GetTarget } from '../target.ts';
import { flagDocuments, simpleFlag, Workspace } from '../workspace.ts';

const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';
/** More flags than fit into a message of API Gateway. */
const MANY = 400;

/** FeatBit's published Rust SDK. */
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
      const flags = Array.from({ length: MANY }, (_, n) => simpleFlag(`flag-${n}`));
      const workspace = await Workspace.create(target(), flagDocuments(...flags));
      const sdk = await startRustSdk(workspace);
      const last = `flag-${MANY - 1}`;
      await sdk.becomes(last, 'true', MANY);
      await workspace.toggle(last);
      expect((await sdk.becomes(last, 'false', MANY)).connections).toBe(1);
      sdk.close();
    });
  });
}

/**
 * Starts FeatBit's Rust server SDK, as published on crates.io. It is built on first use.
 *
 * @throws {Error} when it cannot be built
 */
async function startRustSdk({ target, serverKey }: Pick<Workspace, 'target' | 'serverKey'>): Promise<DrivenSdk> {
  const directory = join(import.meta.dirname, '../clients/rust');
  const program = await rustProgram(directory, (line) => process.stderr.write(`conformance: ${line}\n`));
  return new DrivenSdk('FeatBit’s Rust SDK', program, [target.streamingUrl, target.httpUrl, serverKey]);
}
