import { useMemo, useRef, useState } from 'preact/hooks';
import { type AllRanges, rangesOf } from '../../../../cost/assumptions/rangesOf.ts';
import { reportOn } from '../../../../cost/model/report/report.ts';
import { figuresIn } from '../../../../cost/model/workload/figures.ts';
import { PRESETS } from '../../../../cost/model/workload/presets.ts';
import { parseWorkload, type Workload, WorkloadError } from '../../../../cost/model/workload/workload.ts';
import { announce, complain } from '../../../ui/announcement.tsx';
import { Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import {
  type ControlProblem,
  type Controls,
  controlsOf,
  leversOf,
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
  /** The fragment of an address with a query. */
  readonly addressOf: (query: string) => string;
  /** If the defaults are live traffic: what was observed, by control. */
  readonly live?: Readonly<Partial<Record<keyof Controls, string | undefined>>>;
  /** Shown with the estimate. */
  readonly note?: string | false;
}

/** The controls of a workload, and its cost with each option. */
export function CostView({ ranges: all, defaults, query, onQuery, addressOf, live, note }: CostViewProps) {
  const ranges = useMemo(() => rangesOf(all), [all]);
  const entered = useMemo(() => readControls(query), [query]);
  const controls = useMemo(() => ({ ...defaults, ...entered }), [defaults, entered]);
  const [unreadable, setUnreadable] = useState<ControlProblem>();
  const parsed = useMemo(() => parse(controls), [controls]);
  // The last valid workload is shown while the controls are invalid.
  const lastValid = useRef<ValidControls>(undefined);
  if ('given' in parsed) lastValid.current = parsed;
  const valid = lastValid.current ?? { given: parseWorkload(workloadOf(defaults)), controls: defaults };
  const change = (part: Partial<Controls>) => {
    setUnreadable(undefined);
    onQuery(writeControls({ ...entered, ...withStarts(controls, part) }));
  };
  const figures = useMemo(() => figuresIn(navigator.language, valid.controls.period), [valid.controls.period]);
  const report = useMemo(
    () => reportOn(valid.given, ranges, { levers: leversOf(valid.controls), figures }),
    [valid, ranges, figures],
  );
  const copy = async () => {
    const set = writeControls(valid.controls);
    try {
      await navigator.clipboard.writeText(new URL(addressOf(set), location.href).href);
      announce('Copied the link.');
    } catch {
      onQuery(set);
      complain('The browser does not allow this page to copy. The link is in the address bar.');
    }
  };
  const views = { report, figures };
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
            <Button text={title} onClick={() => change(presetControls(workload))} />
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
        entered={entered}
        figures={figures}
        hints={live ?? {}}
        problem={unreadable ?? ('problem' in parsed ? parsed.problem : undefined)}
        onChange={change}
        onProblem={setUnreadable}
      />
      <Section title="What it costs" about="US dollars at list prices, without tax.">
        <Totals {...views} />
        <p class="actions">
          <Button text="Copy link" id="copy" onClick={copy} />
        </p>
      </Section>
      <Section
        title="What would make it cheaper"
        about="Each setting shows what it saves in addition to those selected. All figures on this page include them."
      >
        <LeverTable {...views} onSwitch={(on) => change({ levers: on.join() })} />
      </Section>
      <Section title="What the bill consists of">
        <Breakdown {...views} />
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

function presetControls(workload: (typeof PRESETS)[keyof typeof PRESETS]['workload']): Partial<Controls> {
  const { period: _, ...controls } = controlsOf(parseWorkload(workload));
  return controls;
}

function parse(controls: Controls): ValidControls | { readonly problem: ControlProblem } {
  try {
    return { given: parseWorkload(workloadOf(controls)), controls };
  } catch (error) {
    if (!(error instanceof WorkloadError)) throw error;
    return { problem: problemOf(error.message, controls) };
  }
}
