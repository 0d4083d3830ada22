import { useEffect, useState } from 'preact/hooks';
import { Heading } from '../../../ui/heading.tsx';
import { messageOf } from '../api/failure.ts';
import { Section } from '../documents/section.tsx';
import { liveState } from '../state/live.ts';

type Report = typeof import('./report.tsx')['CostReport'];

/** The cost of a month in which every hour is like the last minutes. The model and its prices are loaded with this view. */
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
      <Heading title="Cost" lead="Estimate: a month on AWS if every hour were like the last minutes." />
      {problem && <p class="notice bad">{problem}</p>}
      {Report && state ? (
        <Report state={state} />
      ) : (
        <Section title="Waiting">
          <p class="hint">Waiting for the first live numbers …</p>
        </Section>
      )}
    </>
  );
}
