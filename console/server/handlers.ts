import { commandWithReason } from '../../shared/describe/historyText.ts';
import { openStore } from '../../shared/store/store.ts';
import { attentionHandler } from './attentionHandler.ts';
import type { ConsoleContext, Handlers, OpenConsole, OpenStore } from './consoleContext.ts';
import { documentHandlers } from './documentHandlers.ts';
import { environmentHandlers } from './environmentHandlers.ts';
import { RequestError } from './failure.ts';
import { historyHandlers, receiptHandler } from './historyHandlers.ts';
import { planHandlers } from './planHandlers.ts';
import { usageHandlers } from './usageHandler.ts';

/** Opens the console of an operator: the handlers of all requests. */
export function openConsole(consoleContext: ConsoleContext): OpenConsole {
  const { tables, effects, context, author, keptSecrets, readAlarms, readGuards, look } = consoleContext;
  const open: OpenStore = (command, remark) =>
    openStore(tables, effects, async () => ({
      ...(await author()),
      command: commandWithReason(`console: ${command}`, remark),
    }));
  const store = openStore(tables, effects);
  const handlers: Handlers = {
    'GET context': async () => ({ ...context, by: (await author()).by }),
    ...environmentHandlers(store, keptSecrets),
    ...documentHandlers(open, store),
    ...planHandlers(open, store, readGuards),
    ...historyHandlers(open, store),
    'GET environments/:env/receipt': receiptHandler(store, consoleContext),
    ...usageHandlers(store, consoleContext),
    'GET attention': attentionHandler(store.effects, readAlarms),
    'GET environments/:env/look': ({ env }) => {
      if (look) return look(env);
      throw new RequestError('not-found', 'this console sends a stream of events');
    },
  };
  return { handlers, environments: store.environments };
}
