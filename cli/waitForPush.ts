import { Option } from 'commander';
import {
  findVersion,
  isComplete,
  type Receipt,
  readReceipt,
  type WrittenVersion,
} from '../shared/store/connections/receipt.ts';
import { liveText, receiptJson, receiptLines } from '../shared/store/connections/receiptText.ts';
import { describeStoreError } from '../shared/store/table/describeStoreError.ts';
import { CliError, type Line, UsageError } from './io.ts';
import { durationOrNone } from './schedule.ts';
import type { Action, Session } from './session.ts';

/** Pauses between two reads of a receipt: the first, and the longest, in milliseconds. */
const PAUSE_MS = { first: 250, longest: 5_000 };

/** How long a command waits to show how many SDKs have its change, in milliseconds. */
const LIVE_MS = 1_500;

/** By how much each pause is longer than the one before. */
const GROWTH = 1.5;

/** Values of the options of a command that waits. */
export interface WaitOptions {
  readonly wait?: boolean;
  readonly timeout?: string;
}

/** The options of a command that can wait until all connections have a change. */
export const waitOptions = (): Option[] => [
  new Option('--wait', 'wait until all connections have the change. Exits with 1 at the timeout'),
  new Option('--timeout <duration>', 'how long --wait waits: 30s, 5m').default('60s'),
];

/**
 * Gives an action the option `--wait`: after it, the command waits until all connections have the newest change of each
 * environment that it was given to change. With `--json`, the receipts are part of the result.
 */
export function waitAfter<Options extends WaitOptions & { readonly json?: boolean; readonly at?: string }>(
  action: Action<Options>,
): Action<Options> {
  return async (session, args, options) => {
    const ms = durationOrNone(options.timeout ?? '');
    const isNow = (options.at ?? 'now') === 'now';
    if (!options.wait) {
      return session.ask && isNow && !options.json
        ? showLive(session, (shown) => action(shown, args, options))
        : action(session, args, options);
    }
    if (!isNow) throw new UsageError('--wait is for a change that is made now; remove --at');
    // A command that cannot wait changes nothing.
    await session.openConnections();
    let result: object | undefined;
    const held = (value: unknown) => {
      result = value as object;
    };
    await action(options.json ? { ...session, result: held } : session, args, options);
    const until = session.store.effects.monotonic() + ms;
    const receipts: (readonly [WrittenVersion, Receipt])[] = [];
    try {
      for (const envId of session.environmentsToChange()) {
        const written = await findVersion(session.store.history, envId);
        const left = until - session.store.effects.monotonic();
        if (written) receipts.push([written, await waitForReceipt(session, envId, written, left)]);
      }
    } catch (error) {
      if (result) session.result(result);
      const reason = describeStoreError(error);
      throw new CliError(`the change is made, but the connections that have it are not known: ${reason}`);
    }
    if (receipts.length === 0 && !options.json) return;
    const json = { ...result, receipts: receipts.map((each) => receiptJson(...each)) };
    session.result(
      json,
      receipts.flatMap((each) => receiptLines(...each)),
    );
    if (!receipts.every(([, receipt]) => isComplete(receipt))) reportTimeout(session, options);
  };
}

/** Adds to the result of an action how many SDKs have the change, if that is known within {@link LIVE_MS}. */
async function showLive(session: Session, act: (session: Session) => Promise<void>): Promise<void> {
  const { effects, history } = session.store;
  const startedAt = effects.now();
  const held: Line[] = [];
  await act({
    ...session,
    result: (json, text) => (text === undefined ? session.result(json) : held.push(...[text].flat())),
  });
  const readLive = async () => {
    const [envId] = session.environmentsToChange();
    const written = envId === undefined ? undefined : await findVersion(history, envId);
    if (envId === undefined || !written || written.at < startedAt) return '';
    const silent = { ...session, progress: () => {} };
    const receipt = await waitForReceipt(silent, envId, written, LIVE_MS);
    const live = liveText(written, receipt);
    return live && ` · ${live}${isComplete(receipt) ? '' : ' so far'}`;
  };
  // The change is made. Only the number of SDKs is not known.
  const live = await readLive().catch(() => '');
  const [first, ...others] = held;
  if (first !== undefined)
    session.result(undefined, [typeof first === 'string' ? `${first}${live}` : first, ...others]);
}

/**
 * Reads the receipt of a version until it is complete, and less often with time.
 *
 * @param ms the time limit; with 0 it reads once
 */
export async function waitForReceipt(
  { openConnections, store: { effects, hosts }, progress }: Session,
  envId: string,
  written: WrittenVersion,
  ms: number,
): Promise<Receipt> {
  const connections = await openConnections();
  const until = effects.monotonic() + ms;
  let pause = PAUSE_MS.first;
  for (let before = ''; ; pause = Math.min(PAUSE_MS.longest, pause * GROWTH)) {
    const receipt = await readReceipt(connections, hosts, envId, written);
    const left = until - effects.monotonic();
    if (isComplete(receipt) || left <= 0) return receipt;
    const text = liveText(written, receipt);
    if (text !== before) progress(text);
    before = text;
    await effects.pause(Math.min(pause, left));
  }
}

/** Says that the time ended before all connections had a version, and makes the command exit with 1. */
export function reportTimeout(session: Session, { timeout }: WaitOptions): void {
  session.note(`after ${timeout}, not all connections are known to have the change; \`push-status\` shows them later`);
  session.exitWithOne();
}
