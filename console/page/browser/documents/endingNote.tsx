import { evaluationsText } from '../../../../shared/describe/evaluationsText.ts';
import { counted } from '../../../../shared/describe/servedText.ts';
import { isOpen } from '../../../../shared/plans/releasePlan.ts';
import type { ShownPlan } from '../../../plans.ts';
import { sdkName } from '../../logic/liveEventText.ts';
import { request, sentence } from '../api/request.ts';
import { once, usePolled } from '../api/usePolled.ts';
import { find } from '../state/content.ts';
import { openConnections } from '../state/live.ts';
import { usePlans } from '../state/plans.ts';
import { useEnvironment } from '../state/session.ts';

/** Maximum number of SDKs that are named. */
const NAMED = 5;

/** How often a flag was evaluated in 24 hours, who is connected, and the plan that ends, before it is archived or deleted. */
export function EndingNote({ kind, id }: Pick<ShownPlan, 'kind'> & { readonly id: string }) {
  const { id: env, name } = useEnvironment();
  const stored = find(kind, id);
  const flag = stored?.kind === 'flag' ? stored.document : undefined;
  const query = { flag: id, period: 'day' } as const;
  const ask = flag && (() => request('GET environments/:env/usage', { env, query }));
  const usage = usePolled(ask, [env, kind, id], once);
  const asked = usePlans(env, { kind, id });
  const plan = asked && 'plans' in asked && asked.plans.find(isOpen);
  const sdks = [...new Set(openConnections.value?.map(sdkName))];
  const more = sdks.length > NAMED ? ` and ${sdks.length - NAMED} more` : '';
  const left = plan ? plan.steps.filter(({ outcome }) => outcome.kind === 'waiting').length : 0;
  const facts = [
    ...(flag && usage?.kind === 'counted' ? [evaluationsText(flag, name, Object.entries(usage.counts))] : []),
    ...(flag && sdks.length > 0 ? [`connected now: ${sdks.slice(0, NAMED).join(', ')}${more}`] : []),
    ...(plan ? [`its plan ends with it, with ${counted(left, 'step') || 'no step'} left`] : []),
  ];
  return facts.length > 0 && <p class="notice warning">{facts.map((fact) => `${sentence(fact)}.`).join(' ')}</p>;
}
