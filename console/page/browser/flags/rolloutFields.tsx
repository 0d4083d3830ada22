import { useState } from 'preact/hooks';
import { rolloutText } from '../../../../shared/describe/documentFacts.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { Rollout } from '../../../../shared/flags/rule.ts';
import { nameOfVariation, everybody as servesAll } from '../../../../shared/flags/shares.ts';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { Dot, ShareBar } from '../../../ui/shareBar.tsx';
import {
  barParts,
  onlyVariation,
  type ShareField,
  shareFields,
  sumOfShares,
  withShares,
  withTyped,
} from '../../logic/shareFields.ts';

/** Rollout fields of a form: one variation for everyone, or percentages by an attribute. */
interface RolloutChoice {
  /** Empty for a percentage rollout. */
  readonly everybody: string;
  readonly shares: readonly ShareField[];
  readonly by: string;
}

/** Fills the fields from a rollout. */
export function choiceOf(flag: Flag, rollout: Rollout): RolloutChoice {
  return {
    everybody: onlyVariation(rollout) ?? '',
    shares: shareFields(flag, rollout),
    by: rollout.dispatchKey ?? 'keyId',
  };
}

/** Reads the rollout from the fields. @throws {InvalidInput} if shares do not sum to 100 % */
export function rolloutOf<R extends Rollout>(flag: Flag, rollout: R, { everybody, shares, by }: RolloutChoice): R {
  const isKept = everybody === '' ? isUnchanged(flag, rollout, shares) : everybody === onlyVariation(rollout);
  const changed = () =>
    everybody === '' ? withShares(flag, rollout, shares) : { ...rollout, variations: servesAll(everybody) };
  const given = isKept ? rollout : changed();
  const attribute = by.trim() || 'keyId';
  return attribute === (rollout.dispatchKey ?? 'keyId') ? given : { ...given, dispatchKey: attribute };
}

/** True if the rollout can be saved. If not, the fields show the problem. */
export function isComplete(flag: Flag, rollout: Rollout, { everybody, shares }: RolloutChoice): boolean {
  // Stored shares such as 1/3 sum to 99.99 % after rounding.
  return everybody !== '' || sumOfShares(shares) === 100 || isUnchanged(flag, rollout, shares);
}

function isUnchanged(flag: Flag, rollout: Rollout, shares: readonly ShareField[]): boolean {
  return JSON.stringify(shares) === JSON.stringify(shareFields(flag, rollout));
}

interface RolloutFieldsProps {
  readonly flag: Flag;
  readonly choice: RolloutChoice;
  readonly onChange: (choice: RolloutChoice) => void;
}

/** Fields of a rollout, with a bar of its shares. */
export function RolloutFields({ label, flag, choice, onChange }: RolloutFieldsProps & { readonly label: string }) {
  const options = [
    ...flag.variations.map(({ id }) => ({ value: id, text: nameOfVariation(flag, id) })),
    { value: '', text: 'Percentage rollout …' },
  ];
  return (
    <div class="rollout-fields">
      <ChoiceField
        label={label}
        value={choice.everybody}
        options={options}
        onChange={(everybody) => onChange({ ...choice, everybody })}
      />
      {choice.everybody === '' && <Percentages flag={flag} choice={choice} onChange={onChange} />}
    </div>
  );
}

function Percentages({ flag, choice, onChange }: RolloutFieldsProps) {
  /** Ids of variations. */
  const [typed, setTyped] = useState<ReadonlySet<string>>(new Set());
  const { shares, by } = choice;
  const sum = sumOfShares(shares);
  const type = (variationId: string, percent: string) => {
    setTyped(new Set([...typed, variationId]));
    onChange({ ...choice, shares: withTyped(shares, { variationId, percent }, typed) });
  };
  return (
    <>
      <div class="percentages">
        {shares.map((share) => (
          <label key={share.variationId}>
            <code>{share.name}</code>
            <span>
              <input
                inputMode="decimal"
                aria-label={`Percentage of ${share.name}`}
                aria-invalid={(typed.size > 0 && sum !== 100) || undefined}
                value={share.percent}
                onInput={(event) => type(share.variationId, event.currentTarget.value)}
              />
              %
            </span>
          </label>
        ))}
      </div>
      {sum === 100 ? (
        <ShareBar parts={barParts(flag, shares)} />
      ) : (
        <p class={typed.size > 0 ? 'problem' : 'hint'} aria-live="polite">
          {Number.isNaN(sum)
            ? 'Enter percentages with at most two decimals, for example 12.5.'
            : `The percentages sum to ${sum} %. They must sum to 100 %.`}
        </p>
      )}
      <TextField
        label="Split by"
        hint="Users with the same value get the same variation: keyId, or an attribute, for example company."
        isCode
        value={by}
        onInput={(text) => onChange({ ...choice, by: text })}
      />
    </>
  );
}

/** A flag, and what receives its edits. */
export interface FlagEditProps {
  readonly flag: Flag;
  /** Why no plan can be created for it. */
  readonly refusal?: string | undefined;
  readonly onChange: (flag: Flag) => void;
}

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
