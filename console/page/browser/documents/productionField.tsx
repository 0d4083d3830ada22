import type { EnvironmentName } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';

interface ProductionFieldProps {
  readonly environment: EnvironmentName;
  readonly typed: string;
  readonly onInput: (text: string) => void;
}

/** Asks for the name of an environment that is marked as production, so that it is not changed by accident. */
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

/** Whether the operator confirmed, where that is required; and the confirmation for the server. */
export function confirmed({ id, name, isProduction }: EnvironmentName, typed: string) {
  return { isConfirmed: !isProduction || typed === name, confirm: isProduction ? { confirm: id } : {} };
}
