import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { messageOf } from '../api/request.ts';

interface InlineFormProps {
  readonly class?: string;
  readonly children: ComponentChildren;
  /**
   * Adds the input to the draft.
   *
   * @returns false if fields of the form show a problem
   * @throws {InvalidInput} for other invalid input, which is shown
   */
  readonly onDone: () => unknown;
  /** Called after the input was added, and on cancel. */
  readonly onClose: () => void;
}

/** Number of open forms whose input is not in a draft. */
export const openForms = signal(0);

/** A form within a view. Its input is added to the draft on submit. Escape closes it. */
export function InlineForm({ class: name = '', children, onDone, onClose }: InlineFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    openForms.value += 1;
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      openForms.value -= 1;
    };
  }, []);
  const [problem, setProblem] = useState<string>();
  const done = () => {
    setProblem(undefined);
    try {
      if (onDone() !== false) return onClose();
      // When the form shows the problem.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form
      ref={form}
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {children}
      <Alert text={problem} />
      <div class="form-foot">
        <span class="hint">Nothing is saved until you review the draft.</span>
        <Button text="Cancel" onClick={onClose} />
        <button type="submit" class="primary">
          Add to draft
        </button>
      </div>
    </form>
  );
}
