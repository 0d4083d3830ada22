import { formatTimestamp } from '../flags/timestamp.ts';
import { type BehindKind, countBehind, isComplete, type Receipt, type WrittenVersion } from './receipt.ts';

/** What connections that do not have a version wait for. */
const REASONS: Readonly<Record<BehindKind, string>> = {
  current: 'push pending',
  answering: 'answer in progress',
  behind: 'push failed, retried with the next delivery',
  waiting: 'waiting for healing',
  unanswerable: 'an item of the environment is too large for a message',
};

/** A receipt as one line: how many connections have the version, since when, and why others do not. */
export function receiptText({ change, version, at }: WrittenVersion, receipt: Receipt): string {
  const { handed, behind, lastAt, later } = receipt;
  const missing = countBehind(receipt);
  const id = change === version ? '' : ` (change ${formatTimestamp(change)})`;
  const last = lastAt === undefined ? '' : `, last push after ${seconds(lastAt - at)}`;
  const afterwards =
    later > 0 ? `, up to ${formatCount(later)} of them later, by the answer to a data-sync or by healing` : '';
  const reasons = Object.entries(behind).map(([kind, n]) => `${formatCount(n)} ${REASONS[kind as BehindKind]}`);
  return [
    `version ${formatTimestamp(version)}${id}: handed to ${formatCount(handed)} of ${formatCount(handed + missing)} connections`,
    isComplete(receipt) ? `${last}${afterwards}` : '',
    `; ${formatCount(missing)} behind`,
    reasons.length > 0 ? ` (${reasons.join(', ')})` : '',
  ].join('');
}

/** A receipt as JSON, with timestamps as text. */
export function receiptJson({ change, version, at }: WrittenVersion, receipt: Receipt) {
  const { handed, behind, behindIds, lastAt, later } = receipt;
  return {
    version: formatTimestamp(version),
    change: formatTimestamp(change),
    at: formatTimestamp(at),
    isComplete: isComplete(receipt),
    handed,
    connections: handed + countBehind(receipt),
    behind,
    behindIds,
    lastAt: lastAt === undefined ? null : formatTimestamp(lastAt),
    later,
  };
}

/** The lines about who is behind: ids of connections, never users. */
export function behindLines({ behindIds, ...receipt }: Receipt): string[] {
  if (behindIds.length === 0) return [];
  const rest = countBehind(receipt) - behindIds.length;
  return [`behind: ${behindIds.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`];
}

function formatCount(n: number): string {
  return n.toLocaleString('en-US');
}

/** A clock that is ahead makes a push look earlier than its write. */
function seconds(ms: number): string {
  return `${(Math.max(0, ms) / 1_000).toFixed(1)} s`;
}
