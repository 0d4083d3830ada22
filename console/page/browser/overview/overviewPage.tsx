import { useState } from 'preact/hooks';
import { STALE_REASONS, uncountedText } from '../../../../shared/flags/stale.ts';
import { Alert, DescriptionList, Heading, Section, Skeleton } from '../../../ui/blocks.tsx';
import { ACTIVITY_CHANGES, type Activity, type EnvironmentUsage, STALE_NEEDS_DAYS } from '../../../usage.ts';
import { request } from '../api/request.ts';
import { type Asked, usePolled } from '../api/usePolled.ts';
import { compact, UsageChart } from '../flags/usageChart.tsx';
import { content, flags } from '../state/content.ts';
import { liveState, liveSteps } from '../state/live.ts';
import { linkTo } from '../state/route.ts';
import { context, useEnvironment } from '../state/session.ts';
import { AttentionSection } from './attentionSection.tsx';
import { FirstConnection } from './firstConnection.tsx';
import { RecentChanges } from './recentChanges.tsx';

/** What happens in an environment, and what needs attention. Before the first flag and connection, the first steps. */
export function OverviewPage() {
  const { id: env } = useEnvironment();
  const ask = () => request('GET environments/:env/activity', { env });
  const activity = usePolled(ask, [env, content.value?.version]);
  const usage = activity?.usage;
  // The steps stay until the view is left: their last one is a switch.
  const [isNew, setNew] = useState(false);
  if (!isNew && isUnused(usage)) setNew(true);
  return (
    <>
      <Heading title="Overview" />
      {isNew && <FirstConnection />}
      <Numbers activity={activity} />
      <div class="columns">
        <div>
          <AttentionSection />
          {activity?.failure && <Alert text={`Evaluations were not read: ${activity.failure}`} />}
          {!activity && (
            <Section title="Evaluations by hour">
              <Skeleton lines={9} />
            </Section>
          )}
          {usage && !isNew && <Evaluations usage={usage} />}
          {usage?.kind === 'counted' && !isNew && <Stale usage={usage} />}
        </div>
        <RecentChanges />
      </div>
    </>
  );
}

/** True if there is no flag, or no SDK was ever connected. */
function isUnused(usage: Activity['usage'] | undefined): boolean {
  const live = liveState.value;
  if (flags.value.length === 0) return true;
  if (!usage || !live || live.missing || live.connections.total > 0) return false;
  return usage.kind === 'counted' ? usage.startedAt === undefined : context.value?.mode === 'local';
}

function Numbers({ activity }: { readonly activity: Asked<Activity> }) {
  const connections = liveState.value?.connections;
  const steps = liveSteps.value.map((step) => step.connections);
  const used = flags.value.filter(({ document }) => !document.isArchived);
  const on = used.filter(({ document }) => document.isEnabled).length;
  const usage = activity?.usage?.kind === 'counted' ? activity.usage : undefined;
  const number = (source: object | undefined, count: number | undefined, isAtLeast = false) =>
    !source ? <Skeleton lines={1} /> : count === undefined ? '–' : `${compact(count)}${isAtLeast ? '+' : ''}`;
  return (
    <DescriptionList
      class="card figures"
      items={[
        [
          'connections',
          <>
            {number(connections, connections?.total, connections?.isAtLeast)}
            {steps.length > 1 && <Sparkline values={steps} label="Connections of the last ten minutes" />}
          </>,
        ],
        ['evaluations in 24 h', number(activity, usage && totalOf(usage), usage?.isAtLeast)],
        [
          'flags',
          <>
            {compact(on)} <small>on</small> {compact(used.length - on)} <small>off</small>
          </>,
        ],
        ['changes in 7 days', number(activity, activity?.changes, activity?.changes === ACTIVITY_CHANGES)],
      ]}
    />
  );
}

function totalOf({ bars }: Pick<EnvironmentUsage, 'bars'>): number {
  return bars.flatMap(({ counts }) => Object.values(counts)).reduce((sum, count) => sum + count, 0);
}

function Evaluations({ usage }: { readonly usage: Activity['usage'] }) {
  const isOff = usage.kind === 'off';
  const all = isOff ? [] : usage.bars.map((bar) => ({ at: bar.at, counts: { all: totalOf({ bars: [bar] }) } }));
  const off =
    context.value?.mode === 'local'
      ? 'Counting starts in the first minute.'
      : 'This deployment does not count evaluations. The setting usageWritesPerSecond turns it on.';
  const none = 'No SDK reported one in 24 hours. Turn on events in your SDKs.';
  const total = totalOf({ bars: all });
  const isEmpty = total === 0;
  return (
    <Section title="Evaluations by hour" about={isOff ? off : isEmpty && none}>
      {!isEmpty && (
        <UsageChart bars={all} parts={[{ id: 'all', name: 'evaluations', index: 0, share: compact(total) }]} />
      )}
    </Section>
  );
}

function Stale({ usage: { stale, uncounted } }: { readonly usage: EnvironmentUsage }) {
  const about = stale
    ? 'Flags that may not be needed any more.'
    : `Shows flags without evaluations, or with one value, after ${STALE_NEEDS_DAYS} days of counting.`;
  return (
    <Section title="Stale flags" about={about}>
      <ul class="attention bullets">
        {stale?.map(({ key, reasons }) => (
          <li key={key}>
            <a href={linkTo('flags', key)}>{key}</a>{' '}
            <span class="hint">{reasons.map((reason) => STALE_REASONS[reason]).join(', ')}</span>
          </li>
        ))}
      </ul>
      {stale?.length === 0 && <p>None.</p>}
      <p class="hint">{uncountedText(uncounted)}</p>
    </Section>
  );
}

/** A small line of numbers. @param values at equal distances, at least two */
function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, n) => `${(n / (values.length - 1)) * 100},${22 - (value / most) * 15}`);
  return (
    <svg class="sparkline" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label={label}>
      <path d={`M0,24L${points.join('L')}L100,24`} stroke="none" />
      <path d={`M${points.join('L')}`} fill="none" vector-effect="non-scaling-stroke" />
    </svg>
  );
}
