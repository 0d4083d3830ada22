import { useEffect } from 'preact/hooks';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { ReviewDialog } from '../documents/reviewDialog.tsx';
import { content, contentProblem, load } from '../state/content.ts';
import { listenTo } from '../state/live.ts';
import { review } from '../state/review.ts';
import { redirect, route } from '../state/route.ts';
import { environment, environments, isRefused, start, startProblem } from '../state/session.ts';
import { Announcements } from './announcements.tsx';
import { Navigation } from './navigation.tsx';
import { TopBar } from './topBar.tsx';
import { View } from './view.tsx';
import { Welcome } from './welcome.tsx';

/** The whole page. */
export function App() {
  const envId = environment.value?.id;
  useEffect(() => {
    listenTo(envId);
    if (envId) void load(envId);
  }, [envId]);
  useEffect(() => {
    const [first] = environments.value ?? [];
    if (first && !environment.value) redirect({ envId: first.id, view: 'flags' });
  }, [environments.value, environment.value]);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        Skip to the content
      </button>
      <TopBar />
      <div class="body">
        {envId && <Navigation />}
        <main id="main" tabIndex={-1}>
          <Main />
        </main>
      </div>
      <Announcements />
      {review.value && environment.value && (
        <ReviewDialog key={review.value} about={review.value} environment={environment.value} />
      )}
    </>
  );
}

function Main() {
  if (isRefused.value) {
    return (
      <EmptyState title="This address is not the present one">
        <p>Open the address that the terminal shows, with its token: each start has its own.</p>
      </EmptyState>
    );
  }
  const problem = startProblem.value ?? contentProblem.value;
  if (problem) {
    const again = () => (startProblem.value || !environment.value ? start() : load(environment.value.id));
    return (
      <EmptyState title="It could not be read">
        <p role="alert">{problem}</p>
        <button type="button" class="primary" onClick={() => void again()}>
          Try again
        </button>
      </EmptyState>
    );
  }
  if (environments.value?.length === 0) return <Welcome />;
  if (!environment.value || !content.value) return <p class="hint">Reading …</p>;
  return (
    <>
      {content.value.unreadable.map(({ kind, id }) => (
        <p key={kind + id} class="notice warning">
          The {kind} “{id}” cannot be read, so no SDK gets it.
        </p>
      ))}
      <View environment={environment.value} at={route.value} />
    </>
  );
}

/** No link: the fragment of the address says where somebody is. */
function skip(): void {
  document.getElementById('main')?.focus();
}
