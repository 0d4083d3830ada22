import type { VersionedFlag } from '../../../api.ts';
import { Switch } from '../../../ui/switch.tsx';
import { ask } from '../state/review.ts';

/** A flag's switch. It opens a review before the change. */
export function FlagSwitch({ stored }: { readonly stored: VersionedFlag }) {
  const { key, isEnabled } = stored.document;
  const toggle = () => {
    const document = { ...stored.document, isEnabled: !isEnabled };
    ask({ title: `Turn ${isEnabled ? 'off' : 'on'} ${key}`, base: stored, document: { kind: 'flag', document } });
  };
  return <Switch isOn={isEnabled} label={`Toggle ${key}`} onToggle={toggle} />;
}
