import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { Alert, Section } from '../../../ui/blocks.tsx';
import { Choice } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.tsx';
import type { ShownUsage, UsagePeriod } from '../../../usage.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { content } from '../state/content.ts';
import { plain, useEnvironment } from '../state/session.ts';
import { UsageChart } from './usageChart.tsx';

const PERIODS = [
  { value: 'day', text: '24 hours' },
  { value: 'month', text: '30 days' },
] as const;
const DAY_MS = 86_400_000;

/** A chart of a flag's evaluations, by time and variation, with its changes. */
export function UsageSection({ flag }: { readonly flag: Flag }) {
  const { id: envId } = useEnvironment();
  const [period, setPeriod] = useState<UsagePeriod>('day');
  const query = { flag: flag.key, period };
  const usage = usePolled(
    () => request('GET environments/:env/usage', { env: envId, query }),
    [envId, flag.key, period],
  );
  const changes = usePolled(() => {
    const since = Date.now() - (period === 'day' ? 1 : 30) * DAY_MS;
    return request('GET environments/:env/history', { env: envId, query: { kind: 'flag', id: flag.key, since } });
  }, [envId, flag.key, period, content.value?.version]);
  const marks = changes?.changes?.map(({ at, by, documents: [document] }) => ({
    at,
    text: `${document?.action} by ${plain(by)}`,
  }));
  const choice = <Choice label="Period" value={period} options={PERIODS} onChange={setPeriod} />;
  return (
    <Section title="Usage" about="Evaluations that SDKs report, and single evaluations over HTTP." actions={choice}>
      {usage?.failure && <Alert text={`Usage was not read: ${usage.failure}`} />}
      {usage?.kind && <Content flag={flag} usage={usage} changes={marks ?? []} />}
    </Section>
  );
}

interface ContentProps {
  readonly flag: Flag;
  readonly usage: ShownUsage;
  readonly changes: readonly { readonly at: number; readonly text: string }[];
}

function Content({ flag, usage, changes }: ContentProps) {
  if (usage.kind === 'off') return <p>The service does not count evaluations, or started less than a minute ago.</p>;
  const { bars, counts, total, lastSeen, startedAt, dropped } = usage;
  const isInPeriod = startedAt !== undefined && new Date(startedAt).toISOString() > (bars[0]?.at ?? '');
  const ids = [...new Set([...flag.variations.map(({ id }) => id), ...Object.keys(counts)])];
  const nameOf = (id: string) => nameOfVariation(flag, id) || 'no variation';
  const share = (id: string) => `${Math.round(((counts[id] ?? 0) / total) * 1_000) / 10} %`;
  const parts = ids
    .map((id, index) => ({ id, name: nameOf(id), index, share: share(id) }))
    .filter(({ id }) => (counts[id] ?? 0) > 0);
  return (
    <>
      <p>
        {total} {total === 1 ? 'evaluation' : 'evaluations'}.{' '}
        {lastSeen === undefined ? (
          'None in 92 days.'
        ) : (
          <>
            Last seen: in the hour from <Time at={Date.parse(`${lastSeen}:00:00Z`)} isExact />.
          </>
        )}{' '}
        {isInPeriod && (
          <>
            Counted since <Time at={startedAt} />.
          </>
        )}{' '}
        {dropped > 0 && `${dropped} evaluations of this environment were not counted.`}
      </p>
      {total > 0 && <UsageChart bars={bars} parts={parts} changes={changes} />}
    </>
  );
}
