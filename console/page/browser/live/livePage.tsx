import { useMemo } from 'preact/hooks';
import { formatDuration } from '../../../../shared/flags/timestamp.ts';
import { LISTED_CONNECTIONS, type LiveState, type LiveStep, RECENT_EVENTS } from '../../../live.ts';
import { DescriptionList, Heading, Section, Skeleton } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';
import { Time } from '../../../ui/time.tsx';
import { formatTime } from '../../../ui/zoned.ts';
import { minuteText } from '../../logic/chartTexts.ts';
import { eventSign, formatEvent, sdkName } from '../../logic/liveEventText.ts';
import { compact } from '../flags/usageChart.tsx';
import { segmentName } from '../state/content.ts';
import {
  isPaused,
  liveEntries,
  liveState,
  liveSteps,
  missedWhilePaused,
  openConnections,
  togglePause,
} from '../state/live.ts';

export function LivePage() {
  const state = liveState.value;
  return (
    <>
      <Heading title="Live" lead="Connected SDKs and their traffic.">
        <Button
          text={isPaused.value ? `Resume (${missedWhilePaused.value} missed)` : 'Pause'}
          aria-pressed={isPaused.value}
          onClick={togglePause}
        />
      </Heading>
      {state ? <Connections state={state} /> : <Skeleton lines={8} />}
      <ConnectionTable total={state?.connections.total ?? 0} />
      <Section title="Events" about={`The last ${RECENT_EVENTS}, newest first.`}>
        {liveEntries.value.length === 0 && (
          <p class="hint">
            {state?.source === 'table'
              ? 'On AWS, single messages cannot be observed. The totals above come from metrics.'
              : 'No events yet. Connect an SDK or switch a flag: each connection, sync and push is shown here.'}
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
        <div class="scroll-box" tabIndex={0} role="group" aria-label="Events">
          <ul class="events">
            {liveEntries.value.map((entry) => (
              <li key={entry.id} class={`event ${entry.type}`}>
                <span class="sign" aria-hidden="true">
                  {eventSign(entry)}
                </span>
                <span>{formatEvent(entry, segmentName.value)}</span>
                {'at' in entry && <time title={new Date(entry.at).toISOString()}>{formatTime(entry.at)}</time>}
              </li>
            ))}
          </ul>
        </div>
      </Section>
    </>
  );
}

/** Open connections, with SDK, user and times. @param total number of open connections */
function ConnectionTable({ total }: { readonly total: number }) {
  const connections = openConnections.value ?? [];
  if (connections.length === 0) return null;
  const about =
    total > connections.length ? `The newest ${LISTED_CONNECTIONS} of ${total.toLocaleString('en')}.` : undefined;
  return (
    <Section title="Open connections" about={about}>
      <div class="connection-table">
        <DataTable
          head={['SDK', 'User', 'Connected', 'Last data-sync']}
          rows={connections.map((each) => [
            sdkName(each),
            each.user ? <code>{each.user}</code> : '–',
            <Time at={each.since} />,
            each.syncedAt === undefined ? 'none yet' : <Time at={each.syncedAt} />,
          ])}
        />
      </div>
    </Section>
  );
}

/** Connections by type, and recent traffic. */
function Connections({ state }: { readonly state: LiveState }) {
  const { connections, recent, source, missing, at } = state;
  const { client, server, relay } = connections.byType;
  const of = (n: number) => `${n.toLocaleString('en')}${connections.isAtLeast ? '+' : ''}`;
  const traffic = (name: string, count: number, windowMs: number, ms: number | undefined) => {
    const about = [
      `${name} in the last ${spanText(windowMs)}`,
      ms !== undefined && `95 % within ${formatDuration(ms)}`,
    ];
    return [about.filter(Boolean).map((line) => <div key={line}>{line}</div>), count.toLocaleString('en')] as const;
  };
  return (
    <Section
      title="Connections"
      actions={
        <span class="hint">
          <Time at={at} />
        </span>
      }
    >
      <DescriptionList
        class="figures"
        items={[
          ['connected', of(connections.total)],
          ['client SDKs', of(client)],
          ['server SDKs', of(server)],
          ['FeatBit’s agents', of(relay)],
          ...(recent ? [traffic('data-syncs', recent.syncs, recent.windowMs, recent.syncMsP95)] : []),
          ...(recent ? [traffic('messages pushed', recent.pushed, recent.windowMs, recent.pushMsP95)] : []),
        ]}
      />
      <Timeline />
      {source === 'table' && (
        <p class="hint">Read from the connections table every 15 seconds, for a few cents an hour at most.</p>
      )}
      {missing && <p class="notice warning">{missing}</p>}
    </Section>
  );
}

/** About how long figures were summed up: `40 s`, `15 min`. */
function spanText(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}

/** Connections, and pushes if they are known, of the last ten minutes. */
function Timeline() {
  const steps = liveSteps.value;
  const chart = useMemo((): ChartData => {
    const line = (name: string, colour: string, of: (step: LiveStep) => number) => ({
      name,
      colour,
      points: steps.map((step) => [step.at / 1_000, of(step)] as const),
      format: (count: number) => count.toLocaleString('en'),
    });
    const hasPushes = steps.some(({ pushed }) => pushed !== undefined);
    const pushes = line('messages pushed', 'var(--accent)', ({ pushed = 0 }) => pushed);
    const pushed = pushes.points.reduce((sum, [, count]) => sum + count, 0);
    return {
      from: (steps.at(-1)?.at ?? 0) / 1_000 - 600,
      barWidth: hasPushes ? 10 : 0,
      lines: [
        ...(hasPushes ? [{ ...pushes, isBar: true, summary: compact(pushed) }] : []),
        {
          ...line('connections', 'var(--good)', ({ connections }) => connections),
          summary: compact(steps.at(-1)?.connections ?? 0),
        },
      ],
      formatX: (at) => formatTime(at * 1_000),
      summary: '10 minutes',
      tickX: minuteText,
      tickY: compact,
    };
  }, [JSON.stringify(steps)]);
  if (steps.length < 2) return <p class="hint">The chart of the last ten minutes starts in a few seconds.</p>;
  return <Chart label="Connections and pushes of the last ten minutes. The figures are above" chart={chart} />;
}
