import type { FlagReader } from '../../shared/store/reader.ts';
import type { LiveLine } from '../live.ts';

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

/** Runs a task now, and repeats it after a delay. Ignores failures. @returns a function that stops it */
export function repeat(everyMs: number, action: () => Promise<void>): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async () => {
    await action().catch(() => {});
    if (!isOver) timer = setTimeout(turn, everyMs).unref();
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
