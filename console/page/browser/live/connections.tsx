import { useMemo } from 'preact/hooks';
import type { LiveState, LiveStep } from '../../../live.ts';
import { DescriptionList, Section } from '../../../ui/blocks.tsx';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { Time } from '../../../ui/time.tsx';
import { formatTime } from '../../../ui/zoned.ts';
import { formatDuration } from '../../logic/liveEventText.ts';
import { compact } from '../flags/usageChart.tsx';
import { liveSteps } from '../state/live.ts';

/** Connections by type and SDK, and recent traffic. */
export function Connections({ state }: { readonly state: LiveState }) {
  const { connections, recent, source, missing, usdPerHour, at } = state;
  const { client, server, relay } = connections.byType;
  const of = (n: number) => `${n.toLocaleString('en')}${connections.isAtLeast ? '+' : ''}`;
  const within = (count: number, ms: number | undefined) => (
    <>
      {count.toLocaleString('en')} {ms !== undefined && <small>95 % within {Math.round(ms)} ms</small>}
    </>
  );
  const traffic = recent && [
    [`syncs in ${formatDuration(recent.windowMs)}`, within(recent.syncs, recent.syncMsP95)] as const,
    [`messages pushed in ${formatDuration(recent.windowMs)}`, within(recent.pushed, recent.pushMsP95)] as const,
  ];
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
          ...(traffic ?? []),
        ]}
      />
      <Timeline />
      {connections.bySdk.length > 0 && (
        <ul class="sdks" aria-label="By SDK">
          {connections.bySdk.map(({ sdk, count }) => (
            <li key={sdk}>
              {sdk ? <code>{sdk}</code> : 'no name (for example Node)'} <b>{count}</b>
            </li>
          ))}
        </ul>
      )}
      {source === 'table' && <p class="hint">Read from the connections table every 15 seconds.</p>}
      {usdPerHour !== undefined && (
        <p class="hint">Reading this costs about ${usdPerHour.toFixed(4)} an hour while this page is open.</p>
      )}
      {missing && <p class="notice warning">{missing}</p>}
    </Section>
  );
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
      tickX: (at) => formatTime(at * 1_000, 'short'),
      tickY: compact,
    };
  }, [JSON.stringify(steps)]);
  if (steps.length < 2) return <p class="hint">The chart of the last ten minutes starts in a few seconds.</p>;
  return <Chart label="Connections and pushes of the last ten minutes. The figures are above" chart={chart} />;
}
