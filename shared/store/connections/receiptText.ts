import { formatDuration, formatTimestamp } from '../../flags/timestamp.ts';
import { type BehindKind, countBehind, isComplete, type Receipt, type WrittenVersion } from './receipt.ts';

/** Maximum number of hosts that a text names. */
const NAMED_HOSTS = 10;

/** What connections that do not have a version wait for. */
const REASONS: Readonly<Record<BehindKind, string>> = {
  current: 'push pending',
  answering: 'answer in progress',
  behind: 'push failed, retried with the next delivery',
  waiting: 'waiting for healing',
  onHost: 'not reported by a host yet',
};

/** Later connections are not counted, such as those after a restart of the service. */
const NONE = 'no SDK that connected before this change is connected now';

/** A receipt in one sentence: `live on 3 of 3 SDKs in 0.1 s`. Empty without connections. */
export function liveText(
  { at }: Pick<WrittenVersion, 'at'>,
  receipt: Pick<Receipt, 'handed' | 'behind' | 'unknownHosts' | 'lastAt'>,
): string {
  const { handed, unknownHosts, lastAt } = receipt;
  const connections = handed + countBehind(receipt);
  if (connections + unknownHosts.length === 0) return '';
  const all = `${formatCount(connections)} SDK${connections === 1 ? '' : 's'}`;
  const unknown =
    unknownHosts.length === 0
      ? ''
      : `, unknown on ${formatCount(unknownHosts.length)} host${unknownHosts.length === 1 ? '' : 's'}`;
  const after = lastAt === undefined || !isComplete(receipt) ? '' : ` in ${formatDuration(lastAt - at)}`;
  return `live on ${formatCount(handed)} of ${all}${unknown}${after}`;
}

/** A receipt as JSON, with timestamps as text. */
export function receiptJson({ change, version, at }: WrittenVersion, receipt: Receipt) {
  const { handed, behind, behindIds, lastAt, later, unknownHosts } = receipt;
  return {
    version: formatTimestamp(version),
    change: formatTimestamp(change),
    at: formatTimestamp(at),
    isComplete: isComplete(receipt),
    handed,
    connections: handed + countBehind(receipt),
    behind,
    behindIds,
    unknownHosts,
    lastAt: lastAt === undefined ? null : formatTimestamp(lastAt),
    later,
  };
}

/** A receipt as lines: the sentence of {@link liveText}, and why connections do not have the version. Ids of connections, never users. */
export function receiptLines(written: Pick<WrittenVersion, 'at'>, receipt: Receipt): string[] {
  const { behind, behindIds, unknownHosts, later } = receipt;
  const lines = [liveText(written, receipt) || NONE];
  const reasons = Object.entries(behind).map(([kind, n]) => `${formatCount(n)} ${REASONS[kind as BehindKind]}`);
  const { onHost = 0, ...named } = behind;
  const ids = behindIds.length > 0 ? ` (${namesOf(behindIds, countBehind({ behind: named }))})` : '';
  if (reasons.length > 0) lines.push(`behind: ${reasons.join(', ')}${ids}`);
  if (later > 0 && isComplete(receipt)) {
    lines.push(`up to ${formatCount(later)} of them later, by the answer to a data-sync or by healing`);
  }
  if (unknownHosts.length > 0) {
    const hosts = namesOf(unknownHosts.slice(0, NAMED_HOSTS), unknownHosts.length);
    lines.push(
      `unknown: ${hosts}. These hosts have not reported: they have ended (push-status --forget <host> forgets one), cannot write to ` +
        'the connections table, or have just started',
    );
  }
  return lines;
}

function namesOf(names: readonly string[], count: number): string {
  const rest = count - names.length;
  return `${names.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}

function formatCount(n: number): string {
  return n.toLocaleString('en-US');
}
