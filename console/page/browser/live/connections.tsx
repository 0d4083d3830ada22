import { useMemo } from 'preact/hooks';
import type { LiveState, LiveStep } from '../../../live.ts';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { Time } from '../../../ui/time.tsx';
import { Section } from '../documents/section.tsx';
import { compact } from '../flags/usageChart.tsx';
import { liveSteps } from '../state/live.ts';

const KINDS = { client: 'client SDKs', server: 'server SDKs', relay: 'FeatBit’s agents' } as const;

/** Connections by type and SDK, and recent traffic. */
export function Connections({ state }: { readonly state: LiveState }) {
  const { connections, recent, source, missing, usdPerHour, at } = state;
  const of = (n: number) => `${n.toLocaleString('en')}${connections.isAtLeast ? '+' : ''}`;
  const figures: [name: string, value: string, note?: string | undefined][] = [
    ['connected', of(connections.total)],
    ...Object.entries(KINDS).map(([kind, name]): [string, string] => [
      name,
      of(connections.byType[kind as keyof typeof KINDS]),
    ]),
  ];
  if (recent) {
    const { windowMs, syncs, syncMsP95, pushed, pushMsP95 } = recent;
    figures.push([`syncs in ${minutes(windowMs)}`, syncs.toLocaleString('en'), p95(syncMsP95)]);
    figures.push([`messages pushed in ${minutes(windowMs)}`, pushed.toLocaleString('en'), p95(pushMsP95)]);
  }
  return (
    <Section
      title="Connections"
      actions={
        <span class="hint">
          <Time at={at} />
        </span>
      }
    >
      <dl class="figures">
        {figures.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
            {note && <dd class="hint">{note}</dd>}
          </div>
        ))}
      </dl>
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
      formatX: (at) => new Date(at * 1_000).toLocaleTimeString(),
      summary: '10 minutes',
      tickX: (at) => new Date(at * 1_000).toLocaleTimeString(undefined, { timeStyle: 'short' }),
      tickY: compact,
    };
  }, [JSON.stringify(steps)]);
  if (steps.length < 2) return <p class="hint">The chart of the last ten minutes starts in a few seconds.</p>;
  return <Chart label="Connections and pushes of the last ten minutes. The figures are above" chart={chart} />;
}

function minutes(ms: number): string {
  return ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1_000)} s`;
}

function p95(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `95 % within ${Math.round(ms)} ms`;
}
