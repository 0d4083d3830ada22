import type { FlagReader } from '../../shared/store/reader.ts';
import type { LiveLine } from '../live.ts';
import { repeat } from './repeat.ts';

/**
 * Tells of each new version of an environment, by one read of its version each time.
 *
 * @returns what ends it
 */
export function watchVersion(
  { documents, effects }: Pick<FlagReader, 'documents' | 'effects'>,
  envId: string,
  everyMs: number,
  tell: (line: LiveLine) => void,
): () => void {
  let known: number | undefined;
  return repeat(everyMs, async () => {
    const { updatedAt: version } = await documents.version(envId);
    if (version !== known) tell({ type: 'version', at: effects.now(), version });
    known = version;
  });
}
