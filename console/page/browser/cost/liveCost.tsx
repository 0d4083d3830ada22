import './jitless.ts';

import { useMemo } from 'preact/hooks';
import type { AllRanges } from '../../../../cost/assumptions/rangesOf.ts';
import { count } from '../../../../cost/model/workload/figures.ts';
import { parseWorkload } from '../../../../cost/model/workload/workload.ts';
import { REGIONS } from '../../../../cost/prices/sheets.ts';
import type { LiveState } from '../../../live.ts';
import { ACTIVITY_CHANGES } from '../../../usage.ts';
import { controlsOf } from '../../logic/controls.ts';
import { liveWorkload, MINUTES_NEEDED, minutesObserved } from '../../logic/liveWorkload.ts';
import { request } from '../api/request.ts';
import { once, usePolled } from '../api/usePolled.ts';
import { flags } from '../state/content.ts';
import { redirect, route } from '../state/route.ts';
import { context, useEnvironment } from '../state/session.ts';
import { CostView } from './costView.tsx';

/** The assumptions of the cost model, as the page was built. */
declare const COST_RANGES: AllRanges;

/** The cost of live traffic, with the changes of 7 days. Controls that the address does not set have live values. */
export function LiveCost({ state }: { readonly state: LiveState }) {
  const { id: env } = useEnvironment();
  const activity = usePolled(() => request('GET environments/:env/activity', { env }), [env], once);
  const changes = activity?.changes;
  const query = route.value.query ?? '';
  const documents = flags.value.flatMap(({ document }) => (document.isArchived ? [] : [JSON.stringify(document)]));
  const bytes = documents.join('').length;
  const workload = JSON.stringify(
    liveWorkload(
      state,
      {
        flags: documents.length,
        flagBytes: bytes / Math.max(1, documents.length),
        region: REGIONS.find((each) => each === context.value?.region) ?? 'us-east-1',
      },
      changes,
    ),
  );
  const defaults = useMemo(() => controlsOf(parseWorkload(JSON.parse(workload))), [workload]);
  const { recent, connections } = state;
  const minutes = Math.max(1, Math.round((recent?.windowMs ?? 0) / 60_000));
  const observedMinutes = minutesObserved(state);
  const observed = (value: number | undefined) =>
    value === undefined ? undefined : `In the last ${minutes} min: ${count(value)}.`;
  return (
    <CostView
      ranges={COST_RANGES}
      defaults={defaults}
      query={query}
      onQuery={(changed) => redirect({ ...route.value, query: changed })}
      live={{
        connections: `Now: ${count(connections.total)}.`,
        newPerHour: observed(recent?.opened),
        changesPerDay:
          changes === undefined
            ? undefined
            : `In the last 7 days: ${count(changes)}${changes === ACTIVITY_CHANGES ? ' or more' : ''}.`,
      }}
      note={
        observedMinutes < MINUTES_NEEDED &&
        `Provisional: the live figures are from ${observedMinutes} of ${MINUTES_NEEDED} minutes.`
      }
    />
  );
}
