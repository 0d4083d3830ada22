import { rolloutText } from '../../../../shared/evaluation/documentFacts.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { Rollout } from '../../../../shared/flags/rule.ts';
import { ShareBar } from '../../../ui/shareBar.tsx';
import { onlyVariation, shareFields } from '../../logic/shareFields.ts';

/** The served variation, or a bar of the percentage rollout. */
export function RolloutView({ flag, rollout }: { readonly flag: Flag; readonly rollout: Rollout }) {
  if (onlyVariation(rollout) !== undefined) {
    return (
      <p class="gives">
        Serve <code class="value">{rolloutText(flag, rollout)}</code>
      </p>
    );
  }
  const parts = shareFields(flag, rollout).map(({ name, percent }) => ({ name, percent: Number(percent) }));
  const counted = rolloutText(flag, rollout).split(', experiment ')[1];
  return (
    <>
      <p class="gives">
        Percentage rollout, split by <code>{rollout.dispatchKey || 'keyId'}</code>
        {counted && ` (sent to experiments: ${counted})`}
      </p>
      <ShareBar parts={parts} />
    </>
  );
}
