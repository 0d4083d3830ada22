import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs garbage collection now, so that a test can see which objects are still referenced. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  gc();
}
