import { rolloutText } from '../../../../shared/describe/documentFacts.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { Rollout } from '../../../../shared/flags/rule.ts';
import { Dot, ShareBar } from '../../../ui/shareBar.tsx';
import { barParts, onlyVariation, shareFields } from '../../logic/shareFields.ts';

/** The served variation, or a bar of the percentage rollout. */
export function RolloutView({ flag, rollout }: { readonly flag: Flag; readonly rollout: Rollout }) {
  const only = onlyVariation(rollout);
  if (only !== undefined) {
    return (
      <p>
        Serve <Dot index={flag.variations.findIndex(({ id }) => id === only)} />
        <code class="value">{rolloutText(flag, rollout)}</code>
      </p>
    );
  }
  const counted = rolloutText(flag, rollout).split(', experiment ')[1];
  return (
    <>
      <p>
        Percentage rollout, split by <code>{rollout.dispatchKey || 'keyId'}</code>
        {counted && ` (sent to experiments: ${counted})`}
      </p>
      <ShareBar parts={barParts(flag, shareFields(flag, rollout))} />
    </>
  );
}
