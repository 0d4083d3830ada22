import { parsePlannedTime } from '../../shared/flags/timestamp.ts';
import { rolloutPlan } from '../../shared/plans/newPlan.ts';
import type { ReleasePlan } from '../../shared/plans/releasePlan.ts';
import type { ReadAlarms } from '../../shared/runtime/alarms.ts';
import { checkFiredGuard, checkGuards } from '../../shared/store/plans/guardCheck.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { SHOWN_PLANS, type ShownPlan } from '../plans.ts';
import type { Handlers, OpenStore } from './consoleContext.ts';
import { commandOf, writeExpected } from './documentHandlers.ts';

/** Answers the requests about plans. */
export function planHandlers(open: OpenStore, store: FlagStore, readGuards: ReadAlarms) {
  const { environments, documents: reader, effects } = store;
  return {
    'GET environments/:env/plans': async ({ env, query: { kind, id } }) => {
      await environments.find(env);
      if (kind === undefined || id === undefined) return answer(await store.plans.list(env));
      return answer((await store.plans.list(env, 'all', { kind, documentId: id })).slice(-SHOWN_PLANS));
    },
    'POST environments/:env/plans': async ({ env, body: { at, remark, guards, watch, ...expected } }) => {
      const now = effects.now();
      const { plans } = open(await commandOf(reader, env, expected), remark);
      const guarding = await checkGuards(readGuards, { guards, watch });
      let created: readonly ReleasePlan[] = [];
      const onCreated = (stored: readonly ReleasePlan[]) => {
        created = stored;
      };
      const scheduled = plans.scheduled(parsePlannedTime(at, now), now, onCreated, guarding);
      await writeExpected(scheduled, env, expected);
      return answer(created);
    },
    'POST environments/:env/rollouts': async ({ env, body: { flag, rule, variationId, steps, remark, ...choice } }) => {
      const now = effects.now();
      const parsed = steps.map(({ share, at }) => ({ share, at: parsePlannedTime(at, now) }));
      const { plans } = open(`gradual rollout of flag ${flag}`, remark);
      const guarding = await checkGuards(readGuards, choice);
      const make = () => [{ ...rolloutPlan(flag, variationId, parsed, rule), ...guarding }];
      const [created] = await plans.create(env, now, make);
      if (!created) return answer([]);
      const isDue = created.steps.some(({ at }) => at <= now);
      return answer([(isDue && (await plans.advance(env, created.id))) || created]);
    },
    'POST environments/:env/plans/:plan': async ({ env, plan, body: { operation } }) => {
      const found = operation === 'resume' && (await store.plans.list(env)).find(({ id }) => id === plan);
      if (found) await checkFiredGuard(readGuards, found);
      const changed = await open(`${operation} plan ${plan}`).plans[operation](env, plan);
      return answer(changed ? [changed] : []);
    },
  } satisfies Partial<Handlers>;
}

function answer(plans: readonly ReleasePlan[]): { readonly plans: readonly ShownPlan[] } {
  return { plans: plans.map(shownPlan) };
}

function shownPlan(plan: ReleasePlan): ShownPlan {
  const { id, kind, documentId, by, command, createdAt, steps, webhook, state } = plan;
  const guards = [...(plan.guards ?? []), ...(webhook ? ['webhook'] : [])];
  const shown = steps.map(({ fields: _fields, ...step }) => step);
  return { id, kind, documentId, by, command, createdAt, steps: shown, guards, state };
}
