import { describe, expect, test } from '@jest/globals';
import type { Document } from '../../../../shared/flags/document.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';
import { openSocket } from './untilEnd.ts';

/** Planned changes reach connections like other changes. A tick may run at the same time. */
export function planCases(target: GetTarget): void {
  describe('plans', () => {
    test('each step of a plan is one push; after a manual edit there are none', async () => {
      const workspace = await Workspace.create(target(), [{ kind: 'flag', document: simpleFlag('f') }]);
      const { envId } = workspace;
      const client = await openSocket(workspace.url('client'));
      await client.sync({ timestamp: 0, user: { keyId: 'u1' } });
      const { plans } = target().store;
      const set = (fields: Partial<Flag>) => (document: Document) =>
        ({ ...document, document: { ...document.document, ...fields } }) as Document;
      const plan = async (...changes: Partial<Flag>[]) => {
        const now = Date.now();
        const steps = changes.map((fields, n) => ({ at: now + n, change: set(fields) }));
        const [created] = await plans.create(envId, now, () => [
          { kind: 'flag', documentId: 'f', type: 'changes', steps },
        ]);
        return created?.id ?? '';
      };
      const reason = async () => (await client.next()).data.featureFlags[0].matchReason;

      const id = await plan({ isEnabled: false }, { isEnabled: true });
      await Promise.all([plans.advance(envId, id), plans.advance(envId, id)]);
      expect([await reason(), await reason()]).toEqual(['flag disabled', 'default']);

      const stopped = await plan({ isEnabled: false });
      await workspace.flag('f', { isEnabled: true, description: 'edited' });
      await client.next();
      await plans.advance(envId, stopped);
      await client.expectSilence();
    });
  });
}
