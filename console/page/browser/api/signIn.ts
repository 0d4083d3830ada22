import { signal } from '@preact/signals';
import { SIGN_IN_PATH, SIGN_OUT_PATH, TOKEN_HEADER } from '../../../api.ts';

/** True if the session has ended, and could not be renewed. */
export const isSignedOut = signal(false);

/** True while the page is left for another person's. */
export const isStartingOver = signal(false);

/** Keys of the tab's storage and names of what other tabs see. */
const ROUTE = 'route before sign-in';
const PERSON = 'person';
const CHANNEL = 'sign-in';
/** What other pages hear after a sign-out. */
const LEFT = 'signed out';
/** Route of the window in which a person signs in again. */
const POPUP_ROUTE = '#signed-in';

const channel = new BroadcastChannel(CHANNEL);

/**
 * Forgets what the former person left on this page and in its tab: drafts, the route, values of secrets. They are not
 * asked whether to keep edits.
 */
export function startOver(): void {
  isStartingOver.value = true;
  sessionStorage.clear();
  // An edit until then is stored again.
  addEventListener('pagehide', () => sessionStorage.clear());
  location.reload();
}

/** The person who signed in on this page or before it in its tab, as the server names them. */
export function knownPerson(): string | null {
  return sessionStorage.getItem(PERSON);
}

/** Aborts waits of a page that is left: the browser may keep it, and it would hold the lock without running. */
const leaving = new AbortController();
addEventListener('pagehide', () => leaving.abort());

/** Does something while no other page changes the session. */
function alone<T>(act: () => T | Promise<T>): Promise<T> {
  return navigator.locks.request(CHANNEL, { signal: leaving.signal }, act) as Promise<T>;
}

/** Waits for a renewal that is under way on another page: its answer decides whose session it is. Not longer than 10 s. */
export async function waitForRenewal(): Promise<void> {
  await Promise.race([alone(() => {}).catch(() => {}), new Promise((done) => setTimeout(done, 10_000))]);
}

/** Calls a function when somebody has signed in on another page of this browser: perhaps another person. */
export function onSignIn(act: () => void): void {
  channel.addEventListener('message', ({ data }) => {
    if (data === LEFT) return startOver();
    isSignedOut.value = false;
    act();
  });
}

/** Time of the last renewal, in milliseconds of this page. */
let renewedAt = Number.NEGATIVE_INFINITY;

/**
 * Renews the session, one page at a time: a provider may accept a refresh token once.
 *
 * @param since when the request was sent that found the session ended, in milliseconds of this page
 * @returns the status of the renewal: 200 if the session is valid, 401 or 403 if it has ended. Others, such as those of a
 *   throttle or an outage of the provider, pass
 */
export function renewSession(since: number): Promise<number> {
  return alone(async () => {
    if (isSignedOut.value) return 401;
    if (renewedAt > since) return 200;
    const status = await post(`${SIGN_IN_PATH}/refresh`);
    if (status === 200) renewedAt = performance.now();
    isSignedOut.value = status === 401 || status === 403;
    return status;
  });
}

/** Leaves the page for the provider, and returns to the current route. */
export function signIn(): void {
  sessionStorage.setItem(ROUTE, location.hash);
  location.assign(SIGN_IN_PATH);
}

/** Opens a window to sign in. This page keeps its edits, and hears of the sign-in. */
export function signInAgain(): void {
  window.open(`${SIGN_IN_PATH}?popup`, '', 'popup,width=520,height=720');
}

/** Ends the session here and at the provider. @returns false if the server does not answer */
export async function signOut(): Promise<boolean> {
  // After a renewal that is under way, whose answer would begin the session again.
  const hasEnded = (await alone(() => post(SIGN_OUT_PATH))) === 200;
  if (hasEnded) {
    channel.postMessage(LEFT);
    // Drafts and the route are this person's.
    sessionStorage.clear();
    location.assign(`${SIGN_IN_PATH}/out`);
  }
  return hasEnded;
}

/** Tells other pages of a sign-in, and returns to the route before it. */
export function noteSignedIn(person: string): void {
  sessionStorage.setItem(PERSON, person);
  channel.postMessage('');
  if (location.hash === POPUP_ROUTE) close();
  const before = sessionStorage.getItem(ROUTE);
  sessionStorage.removeItem(ROUTE);
  if (before && location.hash.length <= 1) location.replace(before);
}

/** @returns the status of the answer; 0 if there is none */
async function post(path: string): Promise<number> {
  const headers = { [TOKEN_HEADER]: 'signed-in' };
  return fetch(path, { method: 'POST', headers }).then(
    ({ status }) => status,
    () => 0,
  );
}

// A page that the browser kept would show flags after a sign-out.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
