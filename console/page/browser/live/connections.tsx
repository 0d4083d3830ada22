import type { LiveState } from '../../../live.ts';
import { Time } from '../../../ui/time.tsx';
import { Section } from '../documents/section.tsx';

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

function minutes(ms: number): string {
  return ms >= 60_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 1_000)} s`;
}

function p95(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : `95 % within ${Math.round(ms)} ms`;
}
