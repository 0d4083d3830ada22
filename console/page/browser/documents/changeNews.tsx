import type { EnvironmentName, WriteResult } from '../../../api.ts';
import type { ChangeReceipt } from '../../../history.ts';
import type { ShownPlan } from '../../../plans.ts';
import { complain, dismiss } from '../../../ui/announcement.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatRoute } from '../../logic/route.ts';
import { messageOf, request } from '../api/request.ts';
import { type Asked, usePolled } from '../api/usePolled.ts';
import { usePlans } from '../state/plans.ts';
import { undoing } from '../state/review.ts';

/** A push takes about 0.1 s. The server caches an incomplete receipt for seconds. */
export const FIRST_READ_MS = 600;

/** The receipt of a change, with a button that undoes it. Empty if nothing changed. */
export function changeNews(environment: EnvironmentName, { documents }: WriteResult) {
  const version = documents.at(-1)?.version;
  return version !== undefined && <ChangeNews key={version} environment={environment} documents={documents} />;
}

function ChangeNews({ environment, documents }: WriteResult & { readonly environment: EnvironmentName }) {
  const [since = 0, version = since] = [documents[0]?.version, documents.at(-1)?.version];
  const receipt = useReceipt(environment.id, version, FIRST_READ_MS);
  const asked = usePlans(environment.id);
  const plans = asked && 'plans' in asked ? asked.plans : [];
  const paused = plans.find(({ state }) => state.kind === 'paused' && state.at >= since && state.at <= version);
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
      {paused && ' · '}
      {paused && <a href={addressOf(environment, paused)}>A plan is paused: resume it</a>}
      {' · '}
      <Button text="Undo" kind="link" onClick={() => void undo()} />
    </>
  );
}

function addressOf({ id: envId }: EnvironmentName, { kind, documentId: id }: ShownPlan): string {
  return formatRoute({ envId, view: kind === 'flag' ? 'flags' : 'segments', id });
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
