import { useEffect, useState } from 'preact/hooks';
import { Heading } from '../../../ui/heading.tsx';
import { messageOf } from '../api/failure.ts';
import { Section } from '../documents/section.tsx';
import { liveState } from '../state/live.ts';

type Report = typeof import('./report.tsx')['CostReport'];

/** What would be paid if every hour of a month were like now. The model and its prices are loaded when this is looked at. */
export function CostPage() {
  const [Report, setReport] = useState<Report>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    import('./report.tsx').then(
      ({ CostReport }) => setReport(() => CostReport),
      (error) => setProblem(messageOf(error)),
    );
  }, []);
  const state = liveState.value;
  return (
    <>
      <Heading title="Cost" lead="An extrapolation: what a month on AWS costs in which every hour is like now." />
      {problem && <p class="notice bad">{problem}</p>}
      {Report && state ? (
        <Report state={state} />
      ) : (
        <Section title="Waiting">
          <p class="hint">Waiting for the first look at what is connected …</p>
        </Section>
      )}
    </>
  );
}
