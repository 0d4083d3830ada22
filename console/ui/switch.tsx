interface SwitchProps {
  readonly isOn: boolean;
  readonly label: string;
  readonly onToggle: () => void;
}

/** A switch with a label “on” or “off”. */
export function Switch({ isOn, label, onToggle }: SwitchProps) {
  return (
    <button type="button" role="switch" class="switch" aria-checked={isOn} aria-label={label} onClick={onToggle}>
      <span class="switch-track" aria-hidden="true">
        <span class="switch-thumb" />
      </span>
      <span aria-hidden="true">{isOn ? 'on' : 'off'}</span>
    </button>
  );
}
