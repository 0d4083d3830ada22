import type { EnvironmentName, WriteResult } from '../../../api.ts';
import type { ChangeReceipt } from '../../../history.ts';
import { complain, dismiss } from '../../../ui/announcement.tsx';
import { Button } from '../../../ui/button.tsx';
import { messageOf, request } from '../api/request.ts';
import { type Asked, usePolled } from '../api/usePolled.ts';
import { undoing } from '../state/review.ts';

/** A push takes about 0.1 s. The server caches an incomplete receipt for seconds. */
export const FIRST_READ_MS = 600;

/** The receipt of a change, with a button that undoes it. Empty if nothing changed. */
export function changeNews(environment: EnvironmentName, { documents }: WriteResult) {
  const version = documents.at(-1)?.version;
  return version !== undefined && <ChangeNews key={version} environment={environment} version={version} />;
}

function ChangeNews({ environment, version }: { readonly environment: EnvironmentName; readonly version: number }) {
  const receipt = useReceipt(environment.id, version, FIRST_READ_MS);
  const undo = async () => {
    try {
      const query = { before: version + 1 };
      const { changes } = await request('GET environments/:env/history', { env: environment.id, query });
      const [change] = changes;
      if (!change) return;
      undoing.value = { environment, change };
      dismiss();
    } catch (error) {
      complain(messageOf(error));
    }
  };
  return (
    <>
      {receipt?.live && ` · ${receipt.live}`}
      {' · '}
      <Button text="Undo" kind="link" onClick={() => void undo()} />
    </>
  );
}

/** Maximum number of reads of an incomplete receipt. */
const POLLS = 60;

/**
 * Reads the receipt of a change until it is complete.
 *
 * @param version undefined reads nothing
 * @param afterMs delay before the first read
 */
export function useReceipt(env: string, version: number | undefined, afterMs = 0): Asked<ChangeReceipt> {
  const ask =
    version === undefined ? version : () => request('GET environments/:env/receipt', { env, query: { version } });
  return usePolled(ask, [env, version], {
    everyMs: 5_000,
    afterMs,
    isLast: ({ failure, isComplete = false }, asked) => failure !== undefined || isComplete || asked >= POLLS,
  });
}
