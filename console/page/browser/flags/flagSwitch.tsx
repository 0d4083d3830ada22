import type { Flag } from '../../../../shared/flags/flag.ts';
import type { VersionedFlag } from '../../../api.ts';
import type { Draft } from '../state/drafts.ts';
import { ask } from '../state/review.ts';
import { may, useEnvironment } from '../state/session.ts';

interface FlagSwitchProps {
  readonly stored: VersionedFlag;
  /** Unsaved edits, which are saved too. */
  readonly draft?: Draft | undefined;
}

/** A flag's switch with a label “on” or “off”. It opens a review before the change. */
export function FlagSwitch({ stored, draft = { base: stored, document: stored } }: FlagSwitchProps) {
  const { id } = useEnvironment();
  const flag = draft.document.document as Flag;
  const { key, isEnabled } = flag;
  const toggle = () => {
    const document = { kind: 'flag', document: { ...flag, isEnabled: !isEnabled } } as const;
    ask({ title: `Turn ${isEnabled ? 'off' : 'on'} ${key}`, base: draft.base, document });
  };
  return (
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked={isEnabled}
      aria-label={`Toggle ${key}`}
      disabled={!may('editor', id)}
      onClick={toggle}
    >
      <span class="switch-track" aria-hidden="true">
        <span class="switch-thumb" />
      </span>
      <span aria-hidden="true">{isEnabled ? 'on' : 'off'}</span>
    </button>
  );
}
