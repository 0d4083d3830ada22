import type { FlagReader } from '../../shared/store/reader.ts';
import type { LiveLine } from '../live.ts';
import { repeat } from './repeat.ts';

/** Reports each new version of an environment. Each check is one read. @returns a function that stops it */
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
