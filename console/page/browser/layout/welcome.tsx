import { useState } from 'preact/hooks';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { NewEnvironmentDialog } from './newEnvironmentDialog.tsx';

/** What to do where there is no environment yet. */
export function Welcome() {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <Heading title="Welcome" />
      <EmptyState title="Three steps to a flag that flips">
        <ol class="steps">
          <li>
            <b>An environment.</b> It holds flags, segments and the keys that open it.
            <div class="actions">
              <button type="button" class="primary" onClick={() => setAdding(true)}>
                Make an environment
              </button>
            </div>
          </li>
          <li>
            <b>A flag.</b> A key that code asks for, variations, and rules that say who gets which.
          </li>
          <li>
            <b>An SDK.</b> A snippet to paste, for each language; and one that runs in this page.
          </li>
        </ol>
      </EmptyState>
      {isAdding && <NewEnvironmentDialog onClose={() => setAdding(false)} />}
    </>
  );
}
