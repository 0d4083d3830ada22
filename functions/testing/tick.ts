import type { ReadGuards } from '../../shared/plans/planUpdate.ts';
import type { Effects } from '../../shared/runtime/effects.ts';
import type { FlagsTable } from '../../shared/store/reader.ts';
import { runTick } from '../plans/runTick.ts';

/** {@link runTick} on the table of a store. */
export function tick(
  { tables: { client, flags: name }, effects }: { readonly tables: FlagsTable; readonly effects: Effects },
  until?: number,
  readGuards?: ReadGuards,
): Promise<Error[]> {
  return runTick({ client, name, effects }, until, readGuards);
}
