import { newFlag } from '../../../../shared/flags/flagEdits.ts';
import type { EnvironmentName } from '../../../api.ts';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { uuid } from '../../../ui/uuid.ts';
import { ask } from '../state/review.ts';
import { go, linkTo } from '../state/route.ts';

interface FirstStepsProps {
  readonly environment: EnvironmentName;
  readonly onNew: () => void;
}

const SAMPLE_KEY = 'welcome-banner';

/** What to do in an environment without flags. */
export function FirstSteps({ environment, onNew }: FirstStepsProps) {
  const sample = () => {
    const made = newFlag(uuid, {
      key: SAMPLE_KEY,
      name: 'Welcome banner',
      variationType: 'boolean',
      values: ['true', 'false'],
    });
    const document = {
      ...made,
      description: 'A sample: switch it on, and see every connected SDK change.',
      tags: ['sample'],
    };
    ask({
      title: 'Make a sample flag',
      base: undefined,
      document: { kind: 'flag', document },
      onSaved: () => go({ envId: environment.id, view: 'flags', id: SAMPLE_KEY }),
    });
  };
  return (
    <EmptyState title="Three steps to a flag that flips">
      <ol class="steps">
        <li class="done">
          <b>An environment.</b> You are in <b>{environment.name}</b>.
        </li>
        <li>
          <b>A flag.</b> It has a key, by which code asks for it, and two or more variations, of which each user gets
          one. It begins off.
          <div class="actions">
            <button type="button" class="primary" onClick={sample}>
              Make a sample flag
            </button>
            <button type="button" onClick={onNew}>
              Make one of your own
            </button>
          </div>
        </li>
        <li>
          <b>An SDK.</b> <a href={linkTo('keys')}>Keys</a> has a snippet for each language, and one that runs in this
          page.
        </li>
      </ol>
    </EmptyState>
  );
}
