import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';
import { ShareBar, tint } from '../../../ui/shareBar.tsx';
import { Time, ZonedTime } from '../../../ui/time.tsx';
import type { ShownUsage, UsagePeriod } from '../../../usage.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { Section } from '../documents/section.tsx';
import { useEnvironment } from '../state/shownEnvironment.ts';

const PERIODS = [
  { value: 'day', text: '24 hours' },
  { value: 'month', text: '30 days' },
] as const;

/** A chart of a flag's evaluations, by time and variation. */
export function UsageSection({ flag }: { readonly flag: Flag }) {
  const { id: envId } = useEnvironment();
  const [period, setPeriod] = useState<UsagePeriod>('day');
  const query = { flag: flag.key, period };
  const usage = usePolled(
    () => request('GET environments/:env/usage', { env: envId, query }),
    [envId, flag.key, period],
  );
  const choice = <Choice label="Period" value={period} options={PERIODS} onChange={setPeriod} />;
  return (
    <Section title="Usage" about="Evaluations that SDKs report, and single evaluations over HTTP." actions={choice}>
      {usage && 'failure' in usage && <Alert text={`Usage was not read: ${usage.failure}`} />}
      {usage && !('failure' in usage) && <Content flag={flag} usage={usage} />}
    </Section>
  );
}

function Content({ flag, usage }: { readonly flag: Flag; readonly usage: ShownUsage }) {
  if (usage.kind === 'off') return <p>The service does not count evaluations, or started less than a minute ago.</p>;
  const { bars, counts, total, lastSeen, startedAt, dropped } = usage;
  const ids = [...new Set([...flag.variations.map(({ id }) => id), ...Object.keys(counts)])];
  const nameOf = (id: string) => {
    const variation = flag.variations.find((each) => each.id === id);
    return variation ? nameOfVariation(variation) : id || 'no variation';
  };
  const served = ids.filter((id) => (counts[id] ?? 0) > 0);
  const sums = bars.map((bar) => Object.values(bar.counts).reduce((sum, count) => sum + count, 0));
  const most = Math.max(1, ...sums);
  const percent = (id: string) => Math.round(((counts[id] ?? 0) / total) * 1_000) / 10;
  return (
    <>
      <p>
        {total} {total === 1 ? 'evaluation' : 'evaluations'}.{' '}
        {lastSeen === undefined ? (
          'None in 92 days.'
        ) : (
          <>
            Last seen: in the hour from <ZonedTime at={Date.parse(`${lastSeen}:00:00Z`)} />.
          </>
        )}{' '}
        {startedAt !== undefined && (
          <>
            Counted since <Time at={startedAt} />.
          </>
        )}{' '}
        {dropped > 0 && `${dropped} evaluations of this environment were not counted.`}
      </p>
      {total > 0 && (
        <>
          <div class="usage-bars" role="img" aria-label="Evaluations over time. The table below has the figures">
            {bars.map(({ at, counts: ofBar }, n) => (
              <div key={at} title={`${at}: ${sums[n]}`} style={{ height: `${((sums[n] ?? 0) / most) * 100}%` }}>
                {served.map((id, index) => (
                  <span key={id} style={{ ...tint(index), flexGrow: ofBar[id] ?? 0 }} />
                ))}
              </div>
            ))}
          </div>
          <ShareBar parts={served.map((id) => ({ name: nameOf(id), percent: percent(id) }))} />
          <details>
            <summary>Figures</summary>
            <DataTable
              head={['UTC', ...served.map(nameOf)]}
              rows={bars.map(({ at, counts: ofBar }) => [at, ...served.map((id) => ofBar[id] ?? 0)])}
            />
          </details>
        </>
      )}
    </>
  );
}
