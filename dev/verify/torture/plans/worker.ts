import { runTick } from '../../../../functions/plans/runTick.ts';
import type { Document } from '../../../../shared/flags/document.ts';
import { systemEffects } from '../../../../shared/runtime/effects.ts';
import { fireGuard } from '../../../../shared/store/plans/applyPlan.ts';
import { openStore } from '../../../../shared/store/store.ts';
import { createDynamoDb } from '../../../../shared/store/table/table.ts';
import { aFlag } from '../../../../shared/testing/builders.ts';
import { Random } from '../random.ts';

const ACTIONS = ['tick', 'tick', 'tick', 'plan', 'plan', 'plan', 'edit', 'fire', 'resume', 'skip', 'abort'] as const;

const [, , flags = '', envId = '', seed] = process.argv;
const random = new Random(Number(seed));
const client = createDynamoDb();
const throttled = Object.assign(new Error('throttled'), { name: 'ThrottlingException' });
client.middlewareStack.add((next) => (args) => (random.chance(0.02) ? Promise.reject(throttled) : next(args)));
const { documents, plans } = openStore({ client, flags });
const table = { client, name: flags, effects: systemEffects };

/** Ticks, plans, edits, and fires guards three times at once, until it is killed. Some requests are throttled. */
for (;;) {
  await act().catch(() => {});
  await systemEffects.pause(random.below(100));
}

async function act(): Promise<unknown> {
  const [action, key, name, now] = [random.pick(ACTIONS), `flag-${random.below(20)}`, random.guid(), Date.now()];
  if (action === 'tick') return runTick(table);
  const before = aFlag({ key });
  if (action === 'edit') return documents.writeFlag(envId, key, (f = before) => ({ ...f, description: name }));
  if (action === 'plan') {
    const named = (was: Document, n: number) => ({ ...was, document: { ...was.document, name: name + n } }) as Document;
    const stepAt = (at: number, n: number) => ({ at, change: (was: Document) => named(was, n) });
    const steps = random.times(1, 4, (n) => stepAt(now + 700 * n + random.below(700), n));
    const type = random.pick(['rollout', 'changes'] as const);
    return plans.create(envId, now, () => [{ kind: 'flag', documentId: key, type, steps, guards: ['errors'] }]);
  }
  const { id } = random.pick(await plans.list(envId));
  if (action !== 'fire') return plans[action](envId, id);
  return Promise.allSettled([1, 2, 3].map(() => fireGuard(table, envId, id, { kind: 'alarm', name: 'errors' })));
}
