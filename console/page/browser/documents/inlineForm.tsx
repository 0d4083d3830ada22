import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { messageOf } from '../api/failure.ts';
import { useOpenForm } from '../state/openForms.ts';

interface InlineFormProps {
  readonly class?: string;
  readonly children: ComponentChildren;
  /** Takes what was written into the draft. @throws {InvalidInput} for what cannot be, which is shown */
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** A form within a view, whose content is in no draft before it is done. Escape leaves it. */
export function InlineForm({ class: name = '', children, onDone, onCancel }: InlineFormProps) {
  const form = useOpenForm();
  const [problem, setProblem] = useState<string>();
  const done = () => {
    try {
      onDone();
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
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      {children}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="form-foot">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" class="primary">
          Done
        </button>
      </div>
    </form>
  );
}
