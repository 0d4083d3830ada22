import type { EnvironmentName } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';

interface ProductionFieldProps {
  readonly environment: EnvironmentName;
  readonly typed: string;
  readonly onInput: (text: string) => void;
}

/** Asks for the name of a production environment, to prevent accidental changes. */
export function ProductionField({ environment: { name, isProduction }, typed, onInput }: ProductionFieldProps) {
  if (!isProduction) return null;
  return (
    <div class="notice warning">
      <TextField
        label={`This is a production environment. Type “${name}” to confirm.`}
        value={typed}
        onInput={onInput}
        problem={typed !== '' && typed !== name ? 'This does not match the name yet.' : undefined}
      />
    </div>
  );
}

/** Checks the confirmation, and returns it for the server. */
export function confirmed({ id, name, isProduction }: EnvironmentName, typed: string) {
  return { isConfirmed: !isProduction || typed === name, confirm: isProduction ? { confirm: id } : {} };
}
