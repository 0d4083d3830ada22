import { useEffect } from 'preact/hooks';
import { Announcements } from '../../../ui/announcements.tsx';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { FIRST_VIEW } from '../../logic/route.ts';
import { token } from '../api/request.ts';
import { ReviewDialog } from '../documents/reviewDialog.tsx';
import { UndoDialog } from '../history/undoDialog.tsx';
import { content, contentProblem, load } from '../state/content.ts';
import { listenTo } from '../state/live.ts';
import { review } from '../state/review.ts';
import { redirect, route } from '../state/route.ts';
import {
  environment,
  environments,
  firstEnvironment,
  isAddingEnvironment,
  isRefused,
  noteLastUsed,
  start,
  startProblem,
} from '../state/session.ts';
import { undoing } from '../state/undoing.ts';
import { ChooseEnvironment } from './chooseEnvironment.tsx';
import { Navigation } from './navigation.tsx';
import { NewEnvironmentDialog } from './newEnvironmentDialog.tsx';
import { TopBar } from './topBar.tsx';
import { View } from './view.tsx';
import { Welcome } from './welcome.tsx';

export function App() {
  const envId = environment.value?.id;
  useEffect(() => {
    listenTo(envId);
    if (!envId) return;
    noteLastUsed(envId);
    void load(envId);
  }, [envId]);
  useEffect(() => {
    const first = environment.value ? undefined : firstEnvironment();
    if (first) redirect({ envId: first.id, view: FIRST_VIEW });
  }, [environments.value, environment.value]);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <TopBar />
      <Announcements />
      <div class="body">
        {envId && <Navigation />}
        <main id="main" tabIndex={-1}>
          <Main />
        </main>
      </div>
      {isAddingEnvironment.value && <NewEnvironmentDialog />}
      {review.value && environment.value && (
        <ReviewDialog key={review.value} about={review.value} environment={environment.value} />
      )}
      {undoing.value && <UndoDialog {...undoing.value} />}
    </>
  );
}

function Main() {
  if (isRefused.value) {
    return (
      <EmptyState title={token === '' ? 'This address has no access token' : 'This console link has expired'}>
        <p>
          {token === ''
            ? 'Open the link that the terminal shows. It has the access token.'
            : 'Open the one that the terminal shows now.'}
        </p>
      </EmptyState>
    );
  }
  const problem = startProblem.value ?? contentProblem.value;
  if (problem) {
    const again = () => (startProblem.value || !environment.value ? start() : load(environment.value.id));
    return (
      <EmptyState title="Could not load this environment">
        <p role="alert">{problem}</p>
        <button type="button" class="primary" onClick={() => void again()}>
          Try again
        </button>
      </EmptyState>
    );
  }
  if (environments.value?.length === 0) return <Welcome />;
  if (environments.value && !environment.value && !firstEnvironment()) {
    return <ChooseEnvironment environments={environments.value} />;
  }
  if (!environment.value || !content.value) return <p class="hint">Loading …</p>;
  return (
    <>
      {route.value.view !== 'overview' &&
        content.value.unreadable.map(({ kind, id }) => (
          <p key={kind + id} class="notice warning">
            The {kind} “{id}” is not readable, so no SDK receives it.
          </p>
        ))}
      <View environment={environment.value} at={route.value} />
    </>
  );
}

/** A button, because a link would change the fragment, which is the route. */
function skip(): void {
  document.getElementById('main')?.focus();
}
