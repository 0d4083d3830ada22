import type { Command } from 'commander';
import { findVersion } from '../shared/store/receipt.ts';
import { behindLines, receiptJson, receiptText } from '../shared/store/receiptText.ts';
import type { CommandMaker } from './command.ts';
import { readTime } from './historyCommands.ts';
import { CliError } from './io.ts';

/** `push-status`: which connections have a version. */
export function addReceiptCommands(program: Command, commands: CommandMaker): void {
  commands.add(
    program,
    'push-status [version]',
    'show how many connections have a change: its time in the history, by default the newest',
    async (session, [given]) => {
      const { id, name } = await session.environment();
      const connections = await session.openConnections();
      const written = await findVersion(session.store.history, id, given === undefined ? undefined : readTime(given));
      if (!written) {
        throw new CliError(
          given === undefined
            ? `environment "${name}" has no changes in its history`
            : `environment "${name}" has no change ${given}; \`history\` shows those there are`,
        );
      }
      const receipt = await connections.readReceipt(id, written);
      session.result(receiptJson(written, receipt), [receiptText(written, receipt), ...behindLines(receipt)]);
    },
  );
}
