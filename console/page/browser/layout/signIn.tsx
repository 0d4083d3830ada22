import { useEffect, useState } from 'preact/hooks';
import { Alert, Heading } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { sentence } from '../api/request.ts';
import { isSignedOut, signIn, signInAgain, signOut } from '../api/signIn.ts';
import { context } from '../state/session.ts';

/** In place of the page, before a sign-in. */
export function SignInScreen() {
  return (
    <div class="card gate">
      <Heading title="Sign in to Flagwire" />
      <p>Your organization’s identity provider opens, and returns to this page.</p>
      <Button text="Sign in" kind="primary" onClick={signIn} />
    </div>
  );
}

/** In place of the page, for a person without access. */
export function NoAccessScreen({ problem }: { readonly problem: string }) {
  return (
    <div class="card gate">
      <Heading title="You have no access" />
      <p role="alert">{sentence(problem)}</p>
      <SignOutButton />
    </div>
  );
}

export function SignOutButton() {
  const [problem, setProblem] = useState<string>();
  const leave = async () => setProblem((await signOut()) ? undefined : 'Sign-out failed. Try again.');
  return (
    <>
      <Button text="Sign out" kind="small" onClick={() => void leave()} />
      <Alert text={problem} />
    </>
  );
}

/** Over the page, when the session has ended. Edits stay. */
export function EndedSession() {
  const [isClosed, setClosed] = useState(false);
  useEffect(() => setClosed(false), [isSignedOut.value]);
  if (!isSignedOut.value || !context.value) return null;
  const again = <Button text="Sign in again" kind="primary" data-first onClick={signInAgain} />;
  if (isClosed) return <p class="notice warning">Your session has ended. {again}</p>;
  return (
    <Dialog title="Your session has ended" onClose={() => setClosed(true)}>
      <p>Sign in again in a new window. Your edits on this page stay.</p>
      <footer class="form-foot">{again}</footer>
    </Dialog>
  );
}
