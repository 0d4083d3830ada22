import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Alert } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { messageOf } from '../api/request.ts';
import { askToSave } from '../state/review.ts';

interface InlineFormProps {
  readonly class?: string;
  readonly children: ComponentChildren;
  /**
   * Adds the input to the draft of the shown flag or segment.
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

/** A form within a view. Its input is added to the draft, which is then reviewed and saved, or kept for further edits. Escape closes it. */
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
  const done = (then?: () => void) => {
    setProblem(undefined);
    try {
      if (onDone() !== false) {
        onClose();
        // After the form is closed, so that the focus returns to what opened it.
        if (then) setTimeout(then);
        return;
      }
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
        done(askToSave);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      {children}
      <Alert text={problem} />
      <div class="form-foot">
        <Button text="Cancel" onClick={onClose} />
        <Button text="Add to draft" onClick={() => done()} />
        <button type="submit" class="primary">
          Save …
        </button>
      </div>
    </form>
  );
}
