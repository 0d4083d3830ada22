import type { Command } from 'commander';
import { findVersion, isComplete } from '../shared/store/receipt.ts';
import type { CommandMaker } from './command.ts';
import { parseDuration } from './duration.ts';
import { readTime } from './historyCommands.ts';
import { CliError } from './io.ts';
import { jsonOf, receiptLines, reportTimeout, type WaitOptions, waitForReceipt, waitOptions } from './waitForPush.ts';

/** `push-status`: which connections have a version. */
export function addReceiptCommands(program: Command, commands: CommandMaker): void {
  commands.add<WaitOptions>(
    program,
    'push-status [version]',
    'show how many connections have a change: its time in the history, by default the newest',
    async (session, [given], options) => {
      const ms = parseDuration(options.timeout ?? '');
      const { id, name } = await session.environment();
      const written = await findVersion(session.store.history, id, given === undefined ? undefined : readTime(given));
      if (!written) {
        throw new CliError(
          given === undefined
            ? `environment "${name}" has no changes in its history`
            : `environment "${name}" has no change ${given}; \`history\` shows those there are`,
        );
      }
      const found = { written, receipt: await waitForReceipt(session, id, written, options.wait ? ms : 0) };
      session.result(jsonOf(found), receiptLines(found));
      if (options.wait && !isComplete(found.receipt)) reportTimeout(session, options);
    },
    waitOptions(),
  );
}
