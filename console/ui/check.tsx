interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** A checkbox with its label. */
export function Check({ label, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  );
}
