import type { Explanation } from '../../../../shared/describe/explain.ts';
import { explanationLines } from '../../../../shared/describe/explanationText.ts';
import { sdkDifferenceLines } from '../../../../shared/describe/sdks/sdkDifferences.ts';
import { formatInvalidCondition } from '../../../../shared/evaluation/snapshot.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import { Badge } from '../../../ui/blocks.tsx';
import { linkTo } from '../state/route.ts';

interface ResultProps {
  readonly flag: Flag;
  readonly keyId: string;
  readonly explanation: Explanation;
  readonly isOpen: boolean;
}

/** The variation that a flag serves a user, with all evaluation steps. */
export function Result({ flag, keyId, explanation, isOpen }: ResultProps) {
  const { result, bucketing, invalidConditions } = explanation;
  const [from, to] = bucketing?.share ?? [0, 0];
  const variation = flag.variations.find(({ id }) => id === result.variationId);
  return (
    <li>
      <details open={isOpen}>
        <summary>
          <span class="result-key">{flag.key}</span>
          {variation ? (
            <code class="value">{nameOfVariation(flag, variation.id)}</code>
          ) : (
            <i class="none">the default in your code</i>
          )}
          <Badge>{result.reason}</Badge>
        </summary>
        <ol class="trace">
          {explanationLines(flag, keyId, explanation).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ol>
        {bucketing && (
          <div
            class="bar bucketing"
            aria-hidden="true"
            style={{ '--at': `${bucketing.bucket * 100}%`, '--from': `${from * 100}%`, '--to': `${to * 100}%` }}
          />
        )}
        {invalidConditions.map((each) => (
          <p key={each.path} class="notice warning">
            {formatInvalidCondition(each)}
          </p>
        ))}
        {sdkDifferenceLines(explanation).map((line) => (
          <p key={line} class="notice">
            Server-side SDKs differ in {line}
          </p>
        ))}
        <p>
          Value <code>{result.value ?? 'none'}</code> · <a href={linkTo('flags', flag.key)}>Open flag</a>
        </p>
      </details>
    </li>
  );
}
