import { systemEffects } from '../runtime/effects.ts';

/** A signal that follows the first so soon is the same one: npm repeats what a terminal sends to all processes. In milliseconds. */
const REPEATED_MS = 500;

/** Time between two looks at the parent, in milliseconds. */
const PARENT_MS = 1_000;

/**
 * Calls `stop` on the first SIGINT, SIGTERM or SIGHUP. A later signal exits at once with code 130. In a process of npm or npx,
 * the end of its parent also calls `stop`, because npm does not pass on SIGHUP, and npx passes on no signal.
 */
export function onStop(stop: () => void): void {
  let stoppingSince: number | undefined;
  const onSignal = () => {
    if (stoppingSince === undefined) {
      stoppingSince = systemEffects.monotonic();
      stop();
    } else if (systemEffects.monotonic() - stoppingSince > REPEATED_MS) process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    if (stoppingSince === undefined) onSignal();
  }, PARENT_MS).unref();
}

/** Ends the process with exit code 0 when it is to stop. @param close cleanup before the exit */
export function stopOnSignals(close: () => Promise<void>): void {
  onStop(async () => {
    console.log('\nstopping …');
    await close();
    process.exit(0);
  });
}
