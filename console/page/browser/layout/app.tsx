import { useEffect } from 'preact/hooks';
import { Announcements } from '../../../ui/announcement.tsx';
import { EmptyState, Heading, Skeleton } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { FIRST_VIEW, formatRoute } from '../../logic/route.ts';
import { token } from '../api/request.ts';
import { isSignedOut } from '../api/signIn.ts';
import { ReviewDialog } from '../documents/reviewDialog.tsx';
import { UndoDialog } from '../history/changeCard.tsx';
import { content, contentProblem, knownAttributes, load } from '../state/content.ts';
import { listenTo } from '../state/live.ts';
import { review, undoing } from '../state/review.ts';
import { redirect, route } from '../state/route.ts';
import {
  addEnvironment,
  context,
  environment,
  environments,
  firstEnvironment,
  isAddingEnvironment,
  isRefused,
  isWithoutAccess,
  may,
  noteLastUsed,
  ShownEnvironment,
  start,
  startProblem,
  useEnvironment,
} from '../state/session.ts';
import { NewEnvironmentDialog } from './newEnvironmentDialog.tsx';
import { EndedSession, NoAccessScreen, SignInScreen } from './signIn.tsx';
import { TopBar } from './topBar.tsx';
import { Navigation, View } from './view.tsx';

export function App() {
  const envId = environment.value?.id;
  useEffect(() => {
    listenTo(envId);
    if (!envId) return;
    noteLastUsed(envId);
    contentProblem.value = undefined;
    void load(envId);
  }, [envId]);
  useEffect(() => {
    const first = environment.value ? undefined : firstEnvironment();
    if (first) redirect({ envId: first.id, view: FIRST_VIEW });
  }, [environments.value, environment.value]);
  return (
    <ShownEnvironment.Provider value={environment.value}>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <TopBar />
      <Announcements />
      <div class="body">
        {envId && <Navigation />}
        <main id="main" tabIndex={-1}>
          <EndedSession />
          <Main />
        </main>
      </div>
      <datalist id="attributes">
        {knownAttributes.value.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isAddingEnvironment.value && <NewEnvironmentDialog />}
      {review.value && environment.value && <ReviewDialog key={review.value} about={review.value} />}
      {undoing.value && (
        <ShownEnvironment.Provider value={undoing.value.environment}>
          <UndoDialog {...undoing.value} />
        </ShownEnvironment.Provider>
      )}
    </ShownEnvironment.Provider>
  );
}

function Main() {
  if (isSignedOut.value && !context.value) return <SignInScreen />;
  if (isWithoutAccess.value) return <NoAccessScreen problem={startProblem.value ?? ''} />;
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
        <Button text="Try again" kind="primary" onClick={() => void again()} />
      </EmptyState>
    );
  }
  if (environments.value?.length === 0) {
    return (
      <>
        <Heading title="Welcome" />
        <EmptyState title="Create your first environment">
          <p>It has its own flags, segments and SDK keys.</p>
          <Button text="Create environment" kind="primary" disabled={!may('administrator')} onClick={addEnvironment} />
        </EmptyState>
      </>
    );
  }
  // All are production and none was used before.
  if (environments.value && !environment.value && !firstEnvironment()) {
    return (
      <>
        <Heading title="Choose an environment" lead="All environments are marked as production." />
        <ul class="list">
          {environments.value.map(({ id, name }) => (
            <li key={id}>
              <a href={formatRoute({ envId: id, view: FIRST_VIEW })}>{name}</a>
            </li>
          ))}
        </ul>
      </>
    );
  }
  // Until the effect of a switch runs, the content is that of the environment before.
  if (!environment.value || content.value?.environment.id !== environment.value.id) {
    return (
      <div class="card">
        <Skeleton lines={8} />
      </div>
    );
  }
  return (
    <>
      {route.value.view !== 'overview' &&
        content.value.unreadable.map(({ kind, id }) => (
          <p key={kind + id} class="notice warning">
            The {kind} “{id}” is not readable, so no SDK receives it.
          </p>
        ))}
      <ReadOnlyNotice />
      <View {...route.value} />
    </>
  );
}

/** Whom to ask for the right to change what the view shows. */
function ReadOnlyNotice() {
  const { id, name } = useEnvironment();
  const isForAdministrators = ['keys', 'settings'].includes(route.value.view);
  if (may(isForAdministrators ? 'administrator' : 'editor', id)) return null;
  return (
    <p class="notice">
      {isForAdministrators
        ? 'You can view this page. Only administrators of this console can change keys and environments: ask one of them.'
        : `You can view ${name}. To change its flags, ask those who deploy this console to name one of your groups as editors.`}
    </p>
  );
}

/** A button, because a link would change the fragment, which is the route. */
function skip(): void {
  document.getElementById('main')?.focus();
}
