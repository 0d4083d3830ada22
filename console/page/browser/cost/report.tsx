import './jitless.ts';

import { useState } from 'preact/hooks';
import { ARCHITECTURES, compare, obstaclesOf, type Ranges, readiness } from '../../../../cost/model/report/compare.ts';
import { verdictOf } from '../../../../cost/model/report/verdict.ts';
import { count, money, range } from '../../../../cost/model/workload/figures.ts';
import { parseWorkload } from '../../../../cost/model/workload/workload.ts';
import { REGIONS } from '../../../../cost/prices/sheets.ts';
import { ownCommand } from '../../../../shared/runtime/ownCommand.ts';
import type { LiveState } from '../../../live.ts';
import { ChoiceField } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import {
  type EnteredTraffic,
  isEstimable,
  liveWorkload,
  MINUTES_NEEDED,
  MOST_CHANGES,
  minutesObserved,
} from '../../logic/liveWorkload.ts';
import { Section } from '../documents/section.tsx';
import { flags } from '../state/content.ts';
import { context } from '../state/session.ts';

/** The assumptions of the cost model, as the page was built. */
declare const COST_RANGES: Ranges;

type Region = (typeof REGIONS)[number];

/** Numbers that can be entered, with their limits. */
const ENTERED = {
  connections: { label: 'Connections', most: 10_000_000 },
  newPerHour: { label: 'New connections an hour', most: 10_000_000 },
  changesPerDay: { label: 'Changes a day', most: MOST_CHANGES },
} as const satisfies Record<keyof EnteredTraffic, { readonly label: string; readonly most: number }>;

const NAMES = Object.keys(ENTERED) as (keyof EnteredTraffic)[];

/** The cost model with live traffic; each number can be replaced. */
export function CostReport({ state }: { readonly state: LiveState }) {
  const known = REGIONS.find((each) => each === context.value?.region);
  const [region, setRegion] = useState<Region>(known ?? 'us-east-1');
  const [typed, setTyped] = useState<Readonly<Partial<Record<keyof EnteredTraffic, string>>>>({});
  const entered: EnteredTraffic = Object.fromEntries(NAMES.map((name) => [name, numberIn(typed[name], name)]));
  const minutes = minutesObserved(state);
  const span = `${Math.max(1, Math.round((state.recent?.windowMs ?? 0) / 60_000))} min`;
  const observed = (value: number | undefined) => (value === undefined ? '' : ` In the last ${span}: ${count(value)}.`);
  const hints: Readonly<Record<keyof EnteredTraffic, string>> = {
    connections: ` Now: ${count(state.connections.total)}.`,
    newPerHour: observed(state.recent?.opened),
    changesPerDay: observed(state.recent?.changes),
  };
  return (
    <>
      <Section title="Based on">
        <div class="two">
          {NAMES.map((name) => (
            <TextField
              key={name}
              label={ENTERED[name].label}
              hint={`Leave empty to use the live number.${hints[name]}`}
              value={typed[name] ?? ''}
              onInput={(text) => setTyped({ ...typed, [name]: text })}
              problem={
                typed[name] && entered[name] === undefined
                  ? `Enter a whole number, at most ${count(ENTERED[name].most)}.`
                  : undefined
              }
            />
          ))}
          <ChoiceField
            label="Prices of"
            value={region}
            options={REGIONS.map((each) => ({ value: each, text: each }))}
            onChange={setRegion}
          />
        </div>
      </Section>
      {isEstimable(state, entered) ? (
        <Estimate state={state} entered={entered} region={region} />
      ) : (
        <Section title={`Collecting: ${minutes} of ${MINUTES_NEEDED} minutes`}>
          <p class="hint">
            The estimate needs {MINUTES_NEEDED} minutes of traffic. To see one now, fill in the three numbers above.
          </p>
        </Section>
      )}
    </>
  );
}

interface EstimateProps {
  readonly state: LiveState;
  readonly entered: EnteredTraffic;
  readonly region: Region;
}

function Estimate({ state, entered, region }: EstimateProps) {
  const [any, setAny] = useState(false);
  const live = flags.value.filter(({ document }) => !document.isArchived).map(({ document }) => document);
  const bytes = live.reduce((sum, flag) => sum + JSON.stringify(flag).length, 0);
  const flagBytes = live.length > 0 ? bytes / live.length : 0;
  const environment = { flags: live.length, flagBytes, region };
  const workload = parseWorkload({ ...liveWorkload(state, environment, entered), any });
  const costs = compare(workload, COST_RANGES);
  const verdict = verdictOf(workload, costs, COST_RANGES.expected);
  return (
    <>
      <Section title="What to choose" about="US dollars at list prices, without free allowances and tax.">
        <p class="verdict" aria-live="polite">
          <b>{verdict.headline}</b> {verdict.range && `(${verdict.range})`}
        </p>
        {verdict.command && (
          <pre>
            <code>{verdict.command}</code>
          </pre>
        )}
        {verdict.cheaper && (
          <>
            <p>{verdict.cheaper.about}</p>
            <pre>
              <code>{verdict.cheaper.command}</code>
            </pre>
          </>
        )}
        <dl>
          {verdict.answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>
                <b>{question}</b>
              </dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
        <dl class="figures">
          <Fact name="connections" value={count(workload.connections)} />
          <Fact name="new connections an hour" value={count(workload.newPerHour)} />
          <Fact name="flags" value={count(workload.flags)} />
          <Fact name="changes a day" value={count(workload.changesPerDay)} />
        </dl>
      </Section>
      <Section title="All options" about="US dollars a month">
        <ul class="list costs">
          {costs.map((cost) => (
            <li key={cost.architecture}>
              <div class="list-main">
                <b>{ARCHITECTURES[cost.architecture]}</b>
                {cost.isPossible && <span class="hint">{range(cost)}</span>}
                <span class="hint">
                  {[`Ready to deploy: ${readiness(cost)}`, ...obstaclesOf(cost), ...cost.overQuota, ...cost.notes].join(
                    '; ',
                  )}
                </span>
              </div>
              <span class={`cost ${cost.architecture === verdict.architecture ? 'cheapest' : ''}`}>
                {cost.isPossible ? money(cost.bill.total) : '–'}
              </span>
            </li>
          ))}
        </ul>
        <label>
          <input type="checkbox" checked={any} onChange={({ currentTarget }) => setAny(currentTarget.checked)} />{' '}
          Include serverless beyond API Gateway quotas
        </label>
        <p class="hint">
          Nights, weekends and busy days are not included. <code>{ownCommand('cost')}</code> prints more, with all
          assumptions.
        </p>
      </Section>
    </>
  );
}

/** The number that a user entered; undefined where the text is empty or not valid. */
function numberIn(text: string | undefined, name: keyof EnteredTraffic): number | undefined {
  const value = Number(text);
  return text && /^\d+$/.test(text) && value <= ENTERED[name].most ? value : undefined;
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
