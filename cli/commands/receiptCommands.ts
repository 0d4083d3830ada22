import { type Command, Option } from 'commander';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { HostReports } from '../../shared/store/connections/hostReports.ts';
import { findVersion, isComplete } from '../../shared/store/connections/receipt.ts';
import { receiptJson, receiptLines } from '../../shared/store/connections/receiptText.ts';
import type { CommandMaker } from '../command.ts';
import { CliError } from '../io.ts';
import { durationOrNone } from '../schedule.ts';
import type { Session } from '../session.ts';
import { reportTimeout, type WaitOptions, waitForReceipt, waitOptions } from '../waitForPush.ts';
import { readTime } from './historyCommands.ts';

/** `push-status`: which connections have a version. */
export function addReceiptCommands(program: Command, commands: CommandMaker): void {
  commands.add<WaitOptions & { readonly forget?: string }>(
    program,
    'push-status [time]',
    'show how many connections have a change: its time in the history, by default the newest',
    async (session, [given], options) => {
      const ms = durationOrNone(options.timeout ?? '');
      const { id, name } = await session.environment();
      if (options.forget !== undefined) await forgetHost(session, id, options.forget);
      const written = await findVersion(session.store.history, id, given === undefined ? undefined : readTime(given));
      if (!written) {
        throw new CliError(
          given === undefined
            ? `environment "${name}" has no changes in its history`
            : `environment "${name}" has no change ${given}; \`history\` shows those there are`,
        );
      }
      const receipt = await waitForReceipt(session, id, written, options.wait ? ms : 0);
      const version = session.isVerbose ? [`version ${formatTimestamp(written.version)}`] : [];
      session.result(receiptJson(written, receipt), [...version, ...receiptLines(written, receipt)]);
      if (options.wait && !isComplete(receipt)) reportTimeout(session, options);
    },
    [new Option('--forget <host>', 'first forget a host that has ended, and that is unknown'), ...waitOptions()],
  );
}

/** Forgets a host in an environment. @throws {CliError} if it still reports */
async function forgetHost({ openConnections, store: { hosts }, note }: Session, envId: string, id: string) {
  const reports = new HostReports((await openConnections()).table);
  if (!(await hosts.forget(id)) || !(await reports.forget(envId, id))) {
    throw new CliError(`host "${id}" has reported within the last minute; stop it, and try again after a minute`);
  }
  note(`forgot host "${id}"`);
}
