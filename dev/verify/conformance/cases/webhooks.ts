import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Document } from '../../../../shared/flags/document.ts';
import { describeWith } from '../../../support/jest/describeWith.ts';
import { program } from '../../../support/requirement.ts';
import { blockOf } from '../../checks/eventRecipes.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

const describeWithRecipe = await describeWith(program('openssl'), program('curl'));

/** Signed requests fire the guard of a plan. For targets with webhooks. */
export function webhookCases(target: GetTarget): void {
  describeWithRecipe('webhooks of plans', () => {
    test('a signed request, sent as in docs/releases.md, undoes the plan', async () => {
      const { envId } = await Workspace.create(target(), [{ kind: 'flag', document: simpleFlag('f') }]);
      const { store, webhookUrl } = target();
      const now = Date.now();
      const change = (document: Document) =>
        ({ ...document, document: { ...document.document, isEnabled: false } }) as Document;
      const [plan] = await store.plans.create(envId, now, () => [
        { kind: 'flag', documentId: 'f', type: 'changes', steps: [{ at: now, change }], webhook: {}, watchMs: 60_000 },
      ]);
      const id = plan?.id ?? '';
      await store.plans.advance(envId, id);
      const SECRET = (await store.plans.webhookSecrets(envId))(id);
      const URL = `${webhookUrl}/guards/${envId}/${id}`;
      const recipe = blockOf('BODY=', 'releases.md');
      const send = (variables: Readonly<Record<string, string>>) =>
        promisify(execFile)('sh', ['-c', recipe], { env: { ...process.env, URL, ...variables } });

      // The exit code of curl for a status of 400 or more.
      await expect(send({ SECRET: 'guessed' })).rejects.toMatchObject({
        code: 22,
        stdout: expect.stringMatching('wrong'),
      });
      expect((await store.plans.list(envId))[0]?.state.kind).toBe('running');
      const reason = 'guard "webhook: error rate 7 %" has fired; the applied steps were undone';
      expect(JSON.parse((await send({ SECRET })).stdout)).toEqual({ fired: true, state: 'paused', reason });
      expect((await store.plans.list(envId))[0]?.steps[0]?.outcome.kind).toBe('undone');
    });
  });
}
