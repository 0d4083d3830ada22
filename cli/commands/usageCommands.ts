import { type Command, Option } from 'commander';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { wholeNumber } from '../../shared/command/numbers.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { nameOfVariation } from '../../shared/flags/shares.ts';
import { STALE_DAYS, STALE_REASONS, uncountedText } from '../../shared/flags/stale.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { type FlagUsage, findStale, readFlagUsage, startOfPeriod, sumOf } from '../../shared/store/usage/flagUsage.ts';
import { readUncounted } from '../../shared/store/usage/uncounted.ts';
import { NO_VARIATION, USAGE_DAYS, type Usage } from '../../shared/store/usage/usage.ts';
import type { CommandMaker } from '../command.ts';
import { findFlag } from '../editDocuments.ts';
import { CliError, oneLine, StyledLine, UsageError } from '../io.ts';
import type { Session } from '../session.ts';
import { counted, formatTable } from '../text.ts';

interface PeriodOptions {
  readonly days: number;
  readonly fail?: boolean;
}

/** `usage` and `stale`: how often flags are evaluated, and which may not be needed any more. */
export function addUsageCommands(program: Command, commands: CommandMaker): void {
  const days = () =>
    new Option('--days <days>', `number of days, up to ${USAGE_DAYS}`).argParser(daysOf).default(STALE_DAYS);
  commands.add<PeriodOptions>(
    program,
    'usage <flag>',
    'show how often a flag was evaluated, by day and variation',
    showUsage,
    [days()],
  );
  commands.add<PeriodOptions>(
    program,
    'stale',
    `list flags that may not be needed any more: ${Object.values(STALE_REASONS).join(', ')}`,
    showStale,
    [days(), new Option('--fail', 'exit with 1 if a flag is listed')],
  );
}

function daysOf(text: string): number {
  const days = wholeNumber(text);
  if (days <= USAGE_DAYS) return days;
  throw new UsageError(`--days ${text} is too long: counts are kept for ${USAGE_DAYS} days`);
}

async function showUsage(session: Session, [key = '']: readonly string[], { days }: PeriodOptions): Promise<void> {
  const { id } = await session.environment();
  const flag = await findFlag(session, key);
  const usage = await requireUsage(session);
  const found = await readFlagUsage(usage, id, key, startOfPeriod(session.store.effects.now(), days));
  const { total, lastSeen, startedAt, unknown, dropped } = found;
  const variations = variationsOf(flag, found);
  const uncounted = await readUncounted(session.flagsTable, id);
  const byDay = [...Map.groupBy(found.hours, ({ hour }) => hour.slice(0, 10))].map(([day, hours]) => ({
    day,
    counts: sumOf(hours),
  }));
  const rows = byDay.map(({ day, counts }) => {
    const sum = [...counts.values()].reduce((all, count) => all + count, 0);
    return [day, String(sum), ...variations.map((each) => shareText(counts.get(each.id) ?? 0, sum))];
  });
  const head = ['day (UTC)', 'evaluations', ...variations.map(({ name }) => name)];
  const [lost, other] = [`${dropped} were not counted (dropped)`, `${unknown} were of unknown flags or variations`];
  const others = [...(dropped > 0 ? [lost] : []), ...(unknown > 0 ? [other] : [])].join(', and ');
  const since = startedAt === undefined ? 'Nothing' : `Since ${session.time(startedAt)}, evaluations`;
  session.result(
    {
      key,
      days,
      total,
      ...(lastSeen === undefined ? {} : { lastSeen }),
      ...(startedAt === undefined ? {} : { countedSince: formatTimestamp(startedAt) }),
      variations: variations.map((each) => ({ ...each, share: total === 0 ? 0 : each.count / total })),
      byDay: byDay.map(({ day, counts }) => ({ day, counts: Object.fromEntries(counts) })),
      byHour: found.hours.map(({ hour, counts }) => ({ hour, counts: Object.fromEntries(counts) })),
      environment: { unknown, dropped },
      uncountedFunctions: uncounted,
    },
    [
      `${key}: ${counted(total, 'evaluation')} in ${counted(days, 'day')}, ${seenText(session, lastSeen)}`,
      ...(total === 0
        ? []
        : figuresTable(head.map(oneLine), rows)
            .split('\n')
            .map((line) => new StyledLine(line))),
      `${since} of this environment ${startedAt === undefined ? 'was' : 'are'} counted.${others && ` In ${counted(days, 'day')}, ${others}.`}`,
      uncountedText(uncounted),
    ],
  );
}

/** The variations of a flag, and those that it had, with their counts. */
function variationsOf(flag: Flag, { counts }: FlagUsage) {
  const ids = new Set([...flag.variations.map(({ id }) => id), ...counts.keys()]);
  return [...ids].map((id) => {
    const name = id === NO_VARIATION ? 'no variation' : nameOfVariation(flag, id);
    return { id, name, count: counts.get(id) ?? 0 };
  });
}

async function showStale(session: Session, _args: readonly string[], { days, fail }: PeriodOptions): Promise<void> {
  const { id, name } = await session.environment();
  const usage = await requireUsage(session);
  const now = session.store.effects.now();
  const from = now - days * DAY_MS;
  const startedAt = await usage.startedAt(id);
  if (startedAt === undefined) throw nothingCounted(name);
  if (startedAt > from) {
    const whole = Math.floor((now - startedAt) / DAY_MS);
    const way = whole < 1 ? `--days 1 works from ${session.time(startedAt + DAY_MS)}.` : `Use --days ${whole}.`;
    throw new CliError(
      `evaluations of environment "${name}" are counted since ${session.time(startedAt)}, for less than ${counted(days, 'day')}. ${way}`,
    );
  }
  const flags = await session.documents<Flag>('flag');
  const uncounted = await readUncounted(session.flagsTable, id);
  const stale = await findStale(usage, id, flags, from, uncounted.length > 0);
  if (!stale) throw nothingCounted(name, days);
  const rows = stale.map(({ key, reasons, lastSeen }) => [
    key,
    reasons.map((reason) => STALE_REASONS[reason]),
    lastSeen === undefined ? '' : session.time(startOfHour(lastSeen)),
  ]);
  const none =
    uncounted.length > 0
      ? 'no flag is stale'
      : `no flag is stale: each was evaluated with several variations, or changed, in ${counted(days, 'day')}`;
  session.result({ days, countedSince: formatTimestamp(startedAt), flags: stale, uncountedFunctions: uncounted }, [
    ...formatTable(['flag', 'reasons', 'last seen in the hour from'], rows, none),
    `Evaluations are counted since ${session.time(startedAt)}. ${uncountedText(uncounted)}`,
  ]);
  if (fail && stale.length > 0) session.exitWithOne();
}

function nothingCounted(environment: string, days?: number): CliError {
  const period = days === undefined ? '' : ` in ${counted(days, 'day')}`;
  return new CliError(
    `no evaluation of environment "${environment}" was counted${period}, so no flag is called stale. Turn on events in your SDKs (docs/insights.md).`,
  );
}

async function requireUsage({ usage }: Session): Promise<Usage> {
  const opened = await usage();
  if (opened) return opened;
  throw new CliError(
    'the service does not count evaluations: usageWritesPerSecond is off, the service is older than this command, or it started less than a minute ago',
  );
}

/** When a flag was last evaluated. @param lastSeen the hour, as in `FlagUsage` */
export function seenText({ time }: Session, lastSeen: string | undefined): string {
  return lastSeen === undefined
    ? `none in ${USAGE_DAYS} days`
    : `the last in the hour from ${time(startOfHour(lastSeen))}`;
}

/** @param hour as in `UsageHour` */
const startOfHour = (hour: string) => Date.parse(`${hour}:00:00Z`);

function shareText(count: number, sum: number): string {
  return `${count} (${Math.round((count / sum) * 1_000) / 10} %)`;
}

const DAY_MS = 86_400_000;
