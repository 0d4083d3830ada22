import { commandWithReason } from '../../shared/describe/historyText.ts';
import { openStore } from '../../shared/store/store.ts';
import { attentionHandler } from './attentionHandler.ts';
import type { ConsoleContext, Handlers, OpenStore } from './consoleContext.ts';
import { documentHandlers } from './documentHandlers.ts';
import { environmentHandlers } from './environmentHandlers.ts';
import { historyHandlers, receiptHandler } from './historyHandlers.ts';
import { planHandlers } from './planHandlers.ts';
import { usageHandlers } from './usageHandler.ts';

/** Creates the handlers of all requests. */
export function createHandlers(consoleContext: ConsoleContext): Handlers {
  const { tables, effects, context, by, keptSecrets, readAlarms, readGuards } = consoleContext;
  const open: OpenStore = (command, remark) =>
    openStore(tables, effects, async () => ({
      by: await by(),
      command: commandWithReason(`console: ${command}`, remark),
    }));
  const store = openStore(tables, effects);
  return {
    'GET context': async () => ({ ...context, by: await by() }),
    ...environmentHandlers(store, keptSecrets),
    ...documentHandlers(open, store),
    ...planHandlers(open, store, readGuards),
    ...historyHandlers(open, store),
    'GET environments/:env/receipt': receiptHandler(store, consoleContext),
    ...usageHandlers(store, consoleContext),
    'GET attention': attentionHandler(store.effects, readAlarms),
  };
}
