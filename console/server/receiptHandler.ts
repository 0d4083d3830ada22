import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { openConnections } from '../../shared/store/connections/connections.ts';
import { findVersion, isComplete, readReceipt } from '../../shared/store/connections/receipt.ts';
import { behindLines, handedText, liveText } from '../../shared/store/connections/receiptText.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { readServiceTables } from '../../shared/store/table/serviceTables.ts';
import type { ChangeReceipt } from '../history.ts';
import type { ConsoleContext, Handlers } from './consoleContext.ts';
import { RequestError } from './failure.ts';
import { keepAnswers } from './keepAnswers.ts';

/** Cache duration of a receipt in milliseconds, because several pages read it. */
const KEPT_MS = 3_000;
/** Maximum number of cached receipts. */
const KEPT_RECEIPTS = 20;

/** Answers with the receipt of a change. */
export function receiptHandler(
  { environments, history, hosts, effects }: Pick<FlagStore, 'environments' | 'history' | 'hosts' | 'effects'>,
  { tables: { client, flags, connections } }: Pick<ConsoleContext, 'tables'>,
): Handlers['GET environments/:env/receipt'] {
  const kept = keepAnswers<ChangeReceipt>(KEPT_MS, KEPT_RECEIPTS);
  const read = async (envId: string, version: number | undefined): Promise<ChangeReceipt> => {
    const name = connections ?? (await readServiceTables({ client, name: flags, effects }))?.connections;
    if (name === undefined) {
      throw new RequestError('not-found', 'the table of connections is not known; name it with --connections');
    }
    const written = await findVersion(history, envId, version);
    if (!written) {
      const what = version === undefined ? 'no changes' : `no change ${formatTimestamp(version)}`;
      throw new RequestError('not-found', `the history has ${what}`);
    }
    const opened = openConnections({ client, connections: name }, effects);
    const receipt = await readReceipt(opened, hosts, envId, written);
    return {
      isComplete: isComplete(receipt),
      live: liveText(written, receipt),
      lines: [handedText(written, receipt), ...behindLines(receipt)],
    };
  };
  return async ({ env, query: { version } }) => {
    const { id } = await environments.find(env);
    return kept(`${id} ${version}`, effects.now(), () => read(id, version));
  };
}
