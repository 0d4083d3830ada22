import { useMemo, useRef } from 'preact/hooks';
import { type AllRanges, rangesOf } from '../../../../cost/assumptions/rangesOf.ts';
import { reportOn } from '../../../../cost/model/report/report.ts';
import { figuresIn } from '../../../../cost/model/workload/figures.ts';
import { PRESETS } from '../../../../cost/model/workload/presets.ts';
import { parseWorkload, type Workload, WorkloadError } from '../../../../cost/model/workload/workload.ts';
import { Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import {
  type ControlProblem,
  type Controls,
  controlsOf,
  problemOf,
  readControls,
  withStarts,
  workloadOf,
  writeControls,
} from '../../logic/controls.ts';
import { WorkloadForm } from './form.tsx';
import { AssumptionTable, PriceTable } from './sources.tsx';
import { Breakdown, CostByConnections, Crossings, LeverTable, Totals, VerdictView } from './tables.tsx';

interface ValidControls {
  readonly given: Workload;
  readonly controls: Controls;
}

interface CostViewProps {
  readonly ranges: AllRanges;
  /** The controls that the query does not set. They are a valid workload. */
  readonly defaults: Controls;
  /** The part of the address that {@link writeControls} writes. */
  readonly query: string;
  readonly onQuery: (query: string) => void;
  /** If the defaults are live traffic: what was observed, by control. */
  readonly live?: Readonly<Partial<Record<keyof Controls, string | undefined>>>;
  /** Shown with the estimate. */
  readonly note?: string | false;
}

/** The controls of a workload, and its cost with each option. */
export function CostView({ ranges: all, defaults, query, onQuery, live, note }: CostViewProps) {
  const ranges = useMemo(() => rangesOf(all), [all]);
  const entered = useMemo(() => readControls(query), [query]);
  const controls = useMemo(() => ({ ...defaults, ...entered }), [defaults, entered]);
  const parsed = useMemo(() => parse(controls), [controls]);
  // The last valid workload is shown while the controls are invalid.
  const lastValid = useRef<ValidControls>(undefined);
  if ('given' in parsed) lastValid.current = parsed;
  const valid = lastValid.current ?? { given: parseWorkload(workloadOf(defaults)), controls: defaults };
  const change = (part: Partial<Controls>) => onQuery(writeControls({ ...entered, ...withStarts(controls, part) }));
  const figures = useMemo(() => figuresIn(navigator.language), []);
  const report = useMemo(() => reportOn(valid.given, ranges, figures), [valid, ranges, figures]);
  const views = { report, figures };
  // Long tables are closed on a phone at first.
  const isWide = matchMedia('(min-width: 721px)').matches;
  return (
    <>
      <ul class="presets" aria-label="Start from">
        {live && (
          <li>
            <Button
              text="Live traffic"
              {...(query === '' ? { kind: 'primary' } : {})}
              aria-pressed={query === ''}
              onClick={() => onQuery('')}
            />
            <span>the last minutes of this environment</span>
          </li>
        )}
        {Object.values(PRESETS).map(({ title, about, workload }) => (
          <li key={title}>
            <Button text={title} onClick={() => change(controlsOf(parseWorkload(workload)))} />
            <span>{about}</span>
          </li>
        ))}
      </ul>
      <Section title="What to choose" about={note}>
        <div class="answer">
          <div>
            <VerdictView report={report} />
            <Crossings {...views} />
          </div>
          <CostByConnections {...views} />
        </div>
      </Section>
      <WorkloadForm
        controls={controls}
        hints={live ?? {}}
        problem={'problem' in parsed ? parsed.problem : undefined}
        onChange={change}
      />
      <Section title="What it costs" about="US dollars at list prices, without tax.">
        <Totals {...views} />
      </Section>
      <Section
        title="What would make it cheaper"
        about="You can set each of these under “Your load”. Two can save the same cost."
      >
        <details open={isWide}>
          <summary>Settings</summary>
          <LeverTable {...views} />
        </details>
      </Section>
      <Section title="What the bill consists of">
        <details open={isWide}>
          <summary>Costs by purpose</summary>
          <Breakdown {...views} />
        </details>
      </Section>
      <Section
        title="Assumptions and prices"
        about="The figures above use the expected values. “Between” uses the low and high values. Not included: S3, support plans, tax, data between zones, staff. A month is 730 hours. API Gateway always uses TLS. One t2.micro has TLS through CloudFront, Fargate through its load balancer. Hosts come with the serverless stack, which costs a little while unused."
      >
        <details>
          <summary>Assumptions</summary>
          <AssumptionTable ranges={all} />
        </details>
        <details>
          <summary>Prices</summary>
          <p class="hint">A price is confirmed if a second source, such as AWS’s Price List, has it too.</p>
          <PriceTable {...views} />
        </details>
      </Section>
    </>
  );
}

function parse(controls: Controls): ValidControls | { readonly problem: ControlProblem } {
  try {
    return { given: parseWorkload(workloadOf(controls)), controls };
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error;
    return { problem: problemOf(error.message, controls) };
  }
}
