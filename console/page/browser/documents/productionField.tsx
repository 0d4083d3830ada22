import type { EnvironmentName } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';

interface ProductionFieldProps {
  readonly environment: EnvironmentName;
  readonly typed: string;
  readonly onInput: (text: string) => void;
}

/** Asks for the name of an environment that is marked as production, so that nobody changes it by habit. */
export function ProductionField({ environment: { name, isProduction }, typed, onInput }: ProductionFieldProps) {
  if (!isProduction) return null;
  return (
    <div class="notice warning">
      <TextField
        label={`This changes production. Type “${name}” to go on.`}
        value={typed}
        onInput={onInput}
        problem={typed !== '' && typed !== name ? 'That is not its name yet.' : undefined}
      />
    </div>
  );
}

/** Whether somebody was asked, where that is needed; and what the server is told of it. */
export function confirmed({ id, name, isProduction }: EnvironmentName, typed: string) {
  return { isConfirmed: !isProduction || typed === name, confirm: isProduction ? { confirm: id } : {} };
}
