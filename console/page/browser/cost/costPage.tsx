import { useEffect, useState } from 'preact/hooks';
import { Heading } from '../../../ui/blocks.tsx';
import { messageOf } from '../api/request.ts';
import { liveState } from '../state/live.ts';

type View = typeof import('./liveCost.tsx')['LiveCost'];

/** The cost of a month in which every hour is like the last minutes. Loads the cost model with its prices. */
export function CostPage() {
  const [View, setView] = useState<View>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    import('./liveCost.tsx').then(
      ({ LiveCost }) => setView(() => LiveCost),
      (error) => setProblem(messageOf(error)),
    );
  }, []);
  const state = liveState.value;
  return (
    <>
      <Heading
        title="Cost"
        lead="Estimate: a month on AWS if every hour were like the last minutes. Start from another load, or change the numbers."
      />
      {problem && <p class="notice bad">{problem}</p>}
      {View && state ? <View state={state} /> : <p class="hint">Waiting for the first live numbers …</p>}
    </>
  );
}
