import { CONSOLE_POLL_SECONDS } from '../../../../cost/prices/serviceFacts.ts';
import type { LiveLine } from '../../../live.ts';
import { failureOf, RequestFailure, request, send } from './request.ts';
import { isSignedOut } from './signIn.ts';

/** State of the live stream. `refused`: the token is wrong. */
export type StreamState = 'connecting' | 'open' | 'broken' | 'refused';

interface Listener {
  line(line: LiveLine): void;
  state(state: StreamState): void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** Silence after which a connection counts as broken, in milliseconds. */
const SILENCE_MS = 45_000;

/**
 * Follows the events of an environment, and reconnects if the stream ends.
 *
 * @param isPolled whether the server has no stream
 * @returns a function that stops it
 */
export function listen(envId: string, isPolled: boolean, listener: Listener): () => void {
  const ending = new AbortController();
  void keepListening(envId, listener, ending.signal, isPolled ? pollLines : readLines);
  return () => ending.abort();
}

async function keepListening(
  envId: string,
  listener: Listener,
  ended: AbortSignal,
  read: typeof readLines,
): Promise<void> {
  let pause = FIRST_PAUSE_MS;
  listener.state('connecting');
  while (!ended.aborted) {
    try {
      await read(envId, ended, (line) => {
        pause = FIRST_PAUSE_MS;
        listener.state('open');
        listener.line(line);
      });
    } catch (error) {
      if (error instanceof RequestFailure && error.code === 'token-required') {
        listener.state('refused');
        return;
      }
    }
    if (ended.aborted) return;
    listener.state('broken');
    await new Promise((resume) => setTimeout(resume, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

/** Polls while the page is visible. */
async function pollLines(envId: string, ended: AbortSignal, take: (line: LiveLine) => void): Promise<void> {
  while (!ended.aborted) {
    if (document.visibilityState === 'visible' && !isSignedOut.value) {
      const { state, version } = await request('GET environments/:env/look', { env: envId });
      if (ended.aborted) return;
      take(state);
      take({ type: 'version', at: state.at, version });
    }
    await new Promise((resume) => setTimeout(resume, CONSOLE_POLL_SECONDS * 1_000));
  }
}

async function readLines(envId: string, ended: AbortSignal, take: (line: LiveLine) => void): Promise<void> {
  const silent = new AbortController();
  let timer = setTimeout(() => silent.abort(), SILENCE_MS);
  try {
    const signal = AbortSignal.any([ended, silent.signal]);
    const response = await send(`environments/${envId}/live`, { signal });
    if (!response.ok) throw await failureOf(response);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { done = true, value = '' } = (await reader?.read()) ?? {};
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => silent.abort(), SILENCE_MS);
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(JSON.parse(line) as LiveLine);
    }
  } finally {
    clearTimeout(timer);
  }
}
