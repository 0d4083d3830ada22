import { Alert, Heading } from '../../../ui/blocks.tsx';
import { once, usePolled } from '../api/usePolled.ts';
import { liveState } from '../state/live.ts';

/** The cost of a month in which every hour is like the last minutes. Loads the cost model with its prices. */
export function CostPage() {
  const model = usePolled(() => import('./liveCost.tsx'), [], once);
  const View = model?.LiveCost;
  const state = liveState.value;
  return (
    <>
      <Heading
        title="Cost"
        lead="Estimate: a month on AWS if every hour were like the last minutes. Start from another load, or change the numbers."
      />
      <Alert text={model?.failure} />
      {View && state ? <View state={state} /> : <p class="hint">Waiting for the first live numbers …</p>}
    </>
  );
}
