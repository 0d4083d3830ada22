import { EmptyState } from '../../../ui/emptyState.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { addEnvironment } from '../state/session.ts';

/** The first steps without environments. */
export function Welcome() {
  return (
    <>
      <Heading title="Welcome" />
      <EmptyState title="Three steps to your first flag">
        <ol class="steps">
          <li>
            <b>Create an environment.</b> It has its own flags, segments and SDK keys.
            <div class="actions">
              <button type="button" class="primary" onClick={addEnvironment}>
                Create environment
              </button>
            </div>
          </li>
          <li>
            <b>Create a flag.</b> It has a key that your code uses, variations, and rules that select who gets which.
          </li>
          <li>
            <b>Connect an SDK.</b> Copy a snippet for your language, or try one in this page.
          </li>
        </ol>
      </EmptyState>
    </>
  );
}
