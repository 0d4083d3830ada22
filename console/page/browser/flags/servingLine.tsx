import { Fragment } from 'preact';
import { counted } from '../../../../shared/describe/servedText.ts';
import { everybody, nameOfVariation } from '../../../../shared/flags/shares.ts';
import type { VersionedFlag } from '../../../api.ts';
import { Dot } from '../../../ui/shareBar.tsx';
import { barParts, shareFields } from '../../logic/shareFields.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { LastChange } from '../documents/changedTime.tsx';
import { useEnvironment } from '../state/session.ts';
import { compact } from './usageChart.tsx';

const NAME_LIMIT = 24;

/** What the saved flag serves, its evaluations in 24 hours, and its last change, in one line. */
export function ServingLine({ stored }: { readonly stored: VersionedFlag }) {
  const { id: env } = useEnvironment();
  const flag = stored.document;
  const usage = usePolled(
    () => request('GET environments/:env/usage', { env, query: { flag: flag.key, period: 'day' } }),
    [env, flag.key],
  );
  const users = flag.targetUsers.reduce((sum, { keyIds }) => sum + keyIds.length, 0);
  const served = flag.isEnabled ? flag.fallthrough : { variations: everybody(flag.disabledVariationId) };
  const others = flag.isEnabled ? [counted(flag.rules.length, 'rule'), counted(users, 'user')].filter(Boolean) : [];
  const shares = barParts(flag, shareFields(flag, served)).filter(({ percent }) => percent > 0);
  return (
    <p class="serving lead">
      {flag.isArchived
        ? 'Archived: SDKs return the default in your code. Restore the flag to edit it'
        : shares.map(({ variationId, percent, index }, position) => (
            <Fragment key={position}>
              {position === 0 ? 'Serving ' : ', '}
              <Dot index={index} />
              <b>{nameOfVariation(flag, variationId, NAME_LIMIT)}</b> to{' '}
              {percent < 100 ? `${percent} %` : others.length > 0 ? 'everybody else' : 'everybody'}
            </Fragment>
          ))}
      {!flag.isArchived && others.map((text) => ` · ${text}`)}
      {usage?.kind === 'counted' &&
        ` · ${compact(usage.total)} ${usage.total === 1 ? 'evaluation' : 'evaluations'} in 24 h`}
      {' · '}
      <LastChange stored={stored} />
    </p>
  );
}
