import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';

interface DialogFormProps {
  readonly children: ComponentChildren;
  /** The reason of a failure, below the fields. */
  readonly problem?: string | undefined;
  /** Buttons before the submit button. */
  readonly others?: ComponentChildren;
  /** Text of the submit button. */
  readonly action: string;
  readonly isDisabled?: boolean;
  /** True if it deletes something. */
  readonly isDangerous?: boolean;
  /** True if the submit button gets the focus, because no field must be filled in. */
  readonly isActionFirst?: boolean;
  readonly onSubmit: () => unknown;
  readonly onCancel: () => void;
}

/** The form of a dialog, with submit and cancel. */
export function DialogForm(props: DialogFormProps) {
  const { children, problem, action, isDisabled = false, isDangerous, isActionFirst = false, others } = props;
  const { onSubmit, onCancel } = props;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {problem && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <footer class="dialog-foot">
        <Button text="Cancel" onClick={onCancel} />
        {others}
        <button
          type="submit"
          class={isDangerous ? 'primary danger' : 'primary'}
          data-first={isActionFirst || undefined}
          disabled={isDisabled}
        >
          {action}
        </button>
      </footer>
    </form>
  );
}
