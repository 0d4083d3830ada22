import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { rangesOf } from '../../../cost/assumptions/rangesOf.ts';
import { ARCHITECTURES, type Ranges } from '../../../cost/model/report/compare.ts';
import { renderCsv } from '../../../cost/model/report/csv.ts';
import { type CostReport, costWithPing, reportOn } from '../../../cost/model/report/report.ts';
import { type Figures, figuresIn } from '../../../cost/model/workload/figures.ts';
import { parseWorkload, type Workload, WorkloadError } from '../../../cost/model/workload/workload.ts';
import type { CostPageData } from '../../../cost/page/renderPage.ts';
import { SDK_PING_SECONDS } from '../../../shared/protocol/ping.ts';
import { Chart } from '../../ui/chart.tsx';
import { DataTable } from '../../ui/dataTable.tsx';
import {
  type ControlProblem,
  type Controls,
  controlsOf,
  fromFragment,
  leversOf,
  problemOf,
  toFragment,
  withStarts,
  workloadOf,
} from '../controls.ts';
import { Actions } from './actions.tsx';
import { costChart } from './charts.ts';
import { Presets, WorkloadForm } from './form.tsx';
import { LeverTable } from './levers.tsx';
import { AppConfig, AssumptionTable, Breakdown, PriceTable, Totals, VerdictView } from './tables.tsx';

/** Controls of a valid workload. */
interface ValidControls {
  readonly given: Workload;
  readonly controls: Controls;
}

/** What a load costs with each option. */
export function CostPage({ ranges: all, workload, levers }: CostPageData) {
  const ranges = useMemo(() => rangesOf(all), [all]);
  const defaults = useMemo(() => controlsOf(workload, levers), [workload, levers]);
  const [controls, setControls] = useState(() => fromFragment(location.hash, defaults));
  const [unreadable, setUnreadable] = useState<ControlProblem>();
  // The last valid workload is shown while the controls are invalid.
  const lastValid = useRef<ValidControls>({ given: workload, controls: defaults });
  const parsed = useMemo(() => parse(controls), [controls]);
  if ('given' in parsed) lastValid.current = parsed;
  const valid = lastValid.current;
  useEffect(() => {
    const follow = () => {
      setUnreadable(undefined);
      setControls(fromFragment(location.hash, defaults));
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [defaults]);
  const change = (part: Partial<Controls>) => {
    const changed = { ...controls, ...withStarts(controls, part) };
    setUnreadable(undefined);
    setControls(changed);
    if ('given' in parse(changed)) history.replaceState(null, '', `#${toFragment(changed, defaults)}`);
  };
  const figures = useMemo(() => figuresIn(navigator.language, valid.controls.period), [valid]);
  const report = useMemo(
    () => reportOn(valid.given, ranges, { levers: leversOf(valid.controls), figures }),
    [valid, ranges, figures],
  );
  return (
    <>
      <h1>What real-time flags cost on AWS</h1>
      <p class="lead">Five ways to run the same service: what each costs at your load, and what it lacks.</p>
      <section aria-labelledby="presets-title">
        <h2 id="presets-title">Start from</h2>
        <Presets onChange={change} />
      </section>
      <section aria-labelledby="verdict-title">
        <h2 id="verdict-title">What to choose</h2>
        <VerdictView report={report} />
      </section>
      <WorkloadForm
        controls={controls}
        figures={figures}
        problem={unreadable ?? ('problem' in parsed ? parsed.problem : undefined)}
        onChange={change}
        onProblem={setUnreadable}
      />
      <section aria-labelledby="answer-title">
        <h2 id="answer-title">What it costs</h2>
        <Totals report={report} figures={figures} />
        <Actions
          fragment={() => toFragment(valid.controls)}
          csv={() => renderCsv(reportOn(valid.given, ranges, { levers: leversOf(valid.controls) }))}
        />
      </section>
      <section id="levers" aria-labelledby="levers-title">
        <h2 id="levers-title">What would make it cheaper</h2>
        <p>Each setting shows what it saves in addition to those selected. All figures on this page include them.</p>
        <LeverTable report={report} figures={figures} onSwitch={(on) => change({ levers: on.join() })} />
      </section>
      <ByConnections report={report} figures={figures} />
      <section aria-labelledby="breakdown-title">
        <h2 id="breakdown-title">What the bill consists of</h2>
        <Breakdown report={report} figures={figures} />
      </section>
      <ByPing report={report} ranges={ranges} figures={figures} />
      <section aria-labelledby="others-title">
        <h2 id="others-title">Alternatives: AWS AppConfig and Cloudflare Flagship</h2>
        <AppConfig report={report} figures={figures} />
        <p>
          <a href="https://developers.cloudflare.com/flagship/" rel="noreferrer">
            Cloudflare Flagship
          </a>{' '}
          evaluates flags in Workers. It is in public beta. Its price could not be confirmed.
        </p>
      </section>
      <section aria-labelledby="assumptions-title">
        <h2 id="assumptions-title">Assumptions</h2>
        <p>
          The figures above use the expected values. “Between” uses the low and high values. Not included: S3, support
          plans, tax, data between zones, staff. A month is 730 hours. API Gateway always uses TLS. One t2.micro has TLS
          through CloudFront, several hosts through their load balancer. Hosts come with the serverless stack, which
          costs a little while unused.
        </p>
        <AssumptionTable ranges={all} />
      </section>
      <section aria-labelledby="prices-title">
        <h2 id="prices-title">Prices</h2>
        <p>A price is confirmed if a second source, such as AWS’s Price List, has it too.</p>
        <PriceTable report={report} figures={figures} />
      </section>
    </>
  );
}

interface ViewProps {
  readonly report: CostReport;
  readonly figures: Figures;
}

function ByConnections({ report, figures }: ViewProps) {
  const { crossings, curve, workload } = report;
  const chart = useMemo(() => {
    const signs = crossings.map(({ connections }, index) => ({ at: connections, sign: String(index + 1) }));
    return costChart({
      x: 'peak connections',
      points: curve.map(({ connections, usd }) => ({ at: connections, usd })),
      marks: [...signs, { at: workload.connections, sign: '▼' }],
      format: figures.count,
      figures,
    });
  }, [report, figures]);
  return (
    <section aria-labelledby="connections-title">
      <h2 id="connections-title">Cost by number of connections</h2>
      <p>The load grows with the connections. ▼ marks your load. At each number, another option becomes the choice.</p>
      <Chart
        id="by-connections"
        label="Cost by connections, both logarithmic. The crossings are listed below. The costs at your load are in the table above"
        chart={chart}
      />
      <ol id="crossings">
        {crossings.map(({ from, to, connections, usd, reason }) => (
          <li key={connections}>
            From {figures.count(connections)} connections: {ARCHITECTURES[to]} ({figures.cost(usd)}), because{' '}
            {ARCHITECTURES[from]} {reason}.
          </li>
        ))}
      </ol>
    </section>
  );
}

function ByPing({ report, ranges, figures }: ViewProps & { readonly ranges: Ranges }) {
  const { workload, architectures } = report;
  const possible = architectures.filter(({ isPossible }) => isPossible).map(({ architecture }) => architecture);
  const costs = (pingSeconds: number) =>
    Object.fromEntries(possible.map((each) => [each, costWithPing(each, workload, ranges.expected, pingSeconds)]));
  const chart = useMemo(
    () =>
      costChart({
        x: 'ping interval of every SDK, seconds',
        points: Array.from({ length: 57 }, (_, step) => 600 ** (step / 56)).map((at) => ({ at, usd: costs(at) })),
        format: (at) => `${figures.count(at)} s`,
        figures,
      }),
    [report, figures],
  );
  return (
    <section aria-labelledby="ping-title">
      <h2 id="ping-title">The largest lever: the ping interval</h2>
      <p>
        API Gateway counts each ping and each pong as a message. For hosts they cost little. With JavaScript, Node and
        .NET you can set the interval: use 60 to 300 seconds. Home routers drop a silent connection after a minute or
        more, load balancers with TLS after 350 seconds, API Gateway after ten minutes.
      </p>
      <Chart id="by-ping" label="Cost by ping interval. The figures are in the table below" chart={chart} />
      <DataTable
        caption={`US dollars a ${figures.period} by ping interval`}
        head={['ping interval', ...possible.map((each) => ARCHITECTURES[each])]}
        rows={[1, 10, 15, SDK_PING_SECONDS, 60, 300].map((seconds) => [
          `${seconds} s`,
          ...possible.map((each) => figures.cost(costs(seconds)[each] ?? Number.NaN)),
        ])}
      />
    </section>
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
