import type { ComponentChildren } from 'preact';

interface DialogFormProps {
  readonly children: ComponentChildren;
  /** Why it could not be done, below all that was written. */
  readonly problem?: string | undefined;
  /** Buttons before the one that does it. */
  readonly others?: ComponentChildren;
  /** What the button says that does it. */
  readonly action: string;
  readonly isDisabled?: boolean;
  /** Whether it deletes something. */
  readonly isDangerous?: boolean;
  /** Whether that button has the focus at first, where nothing has to be written. */
  readonly isActionFirst?: boolean;
  readonly onSubmit: () => unknown;
  readonly onCancel: () => void;
}

/** What a dialog asks, with the buttons that do it and leave it. */
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
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
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
