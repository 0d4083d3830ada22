import './jitless.ts';

import { useState } from 'preact/hooks';
import { ARCHITECTURES, compare, type Ranges } from '../../../../cost/model/compare.ts';
import { count, money, range } from '../../../../cost/model/figures.ts';
import { parseWorkload } from '../../../../cost/model/workload.ts';
import { REGIONS } from '../../../../cost/prices/sheets.ts';
import type { LiveState } from '../../../live.ts';
import { Choice } from '../../../ui/choice.tsx';
import { Field, TextField } from '../../../ui/field.tsx';
import { liveWorkload } from '../../logic/liveWorkload.ts';
import { Section } from '../documents/section.tsx';
import { flags } from '../state/content.ts';
import { context } from '../state/session.ts';

/** What is assumed of the service, as the page was built. */
declare const COST_RANGES: Ranges;

/** The cost model, fed with what is live; each number can be changed, to see what it does. */
export function CostReport({ state }: { readonly state: LiveState }) {
  const known = REGIONS.find((each) => each === context.value?.region);
  const [region, setRegion] = useState<(typeof REGIONS)[number]>(known ?? 'us-east-1');
  const [typed, setTyped] = useState('');
  const live = flags.value.filter(({ document }) => !document.isArchived).map(({ document }) => document);
  const bytes = live.reduce((sum, flag) => sum + JSON.stringify(flag).length, 0);
  const flagBytes = live.length > 0 ? bytes / live.length : 0;
  const input = liveWorkload(state, { flags: live.length, flagBytes, region });
  const connections = /^\d{1,8}$/.test(typed) ? Number(typed) : (input.connections ?? 0);
  const ratio = input.connections ? connections / input.connections : 0;
  const workload = parseWorkload({ ...input, connections, newPerHour: (input.newPerHour ?? 0) * ratio });
  const costs = compare(workload, COST_RANGES);
  const cheapest = Math.min(...costs.filter(({ isPossible }) => isPossible).map(({ bill }) => bill.total));
  return (
    <>
      <Section title="Fed with">
        <dl class="figures">
          <Fact name="connections held" value={count(workload.connections)} />
          <Fact name="new connections an hour" value={count(workload.newPerHour)} />
          <Fact name="flags" value={count(workload.flags)} />
          <Fact name="changes a day" value={count(workload.changesPerDay)} />
        </dl>
        <div class="two">
          <TextField
            label="What if there were more connections?"
            hint="Their number; empty for what is live."
            value={typed}
            onInput={setTyped}
            problem={typed === '' || /^\d{1,8}$/.test(typed) ? undefined : 'A whole number, of eight digits at most.'}
          />
          <Field label="At the prices of">
            {({ id }) => (
              <Choice
                id={id}
                label="At the prices of"
                value={region}
                options={REGIONS.map((each) => ({ value: each, text: each }))}
                onChange={setRegion}
              />
            )}
          </Field>
        </div>
      </Section>
      <Section title="A month" about="US dollars at list prices, without free allowances and tax.">
        <ul class="list costs" aria-live="polite">
          {costs.map((cost) => (
            <li key={cost.architecture}>
              <div class="list-main">
                <b>{ARCHITECTURES[cost.architecture]}</b>
                <span class="hint">{cost.problems.join('; ') || range(cost)}</span>
              </div>
              <span class={`cost ${cost.isPossible && cost.bill.total === cheapest ? 'cheapest' : ''}`}>
                {cost.isPossible ? money(cost.bill.total) : '–'}
              </span>
            </li>
          ))}
        </ul>
        <p class="hint">
          A look at a few minutes, stretched to 730 hours: nights, weekends and busy days are not in it.{' '}
          <code>npm run cost</code> tells more, with all that is assumed.
        </p>
      </Section>
    </>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
