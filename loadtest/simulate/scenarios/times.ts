import { readMeasured } from '../../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../../cost/assumptions/ranges.ts';
import { exactly, type Range } from '../../../cost/assumptions/rangesOf.ts';
import { awsProfiles } from '../../../dev/emulator/awsProfiles.ts';

const TIMES = [
  'connectMs',
  'syncMs',
  'coldMs',
  'streamMs',
  'publishMs',
  'deliverMs',
  'pageMs',
  'tableMs',
  'queueMs',
  'postMs',
  'managementMs',
] as const;

/** How long things take, in milliseconds, while no quota holds them up. */
export type Times = Readonly<Record<(typeof TIMES)[number], number>>;

/** The times with their meaning and source: measured, documented, reported by users, or judged. */
export function timeRanges(): Readonly<Record<(typeof TIMES)[number], Range>> {
  const ranges = rangesFrom(readMeasured());
  const { connectMs, syncMs, coldMs, publishMs, deliverMs, postMs } = ranges;
  const table = 'single-digit by https://aws.amazon.com/dynamodb/features/';
  return {
    connectMs,
    syncMs,
    coldMs,
    streamMs: exactly(
      250,
      'ms',
      'from a write to the call of publish',
      'Lambda asks a stream four times a second: https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html',
    ),
    publishMs,
    deliverMs,
    pageMs: exactly(20, 'ms', 'to read and parse a page of connections, 1 MB', 'judgement, not measured'),
    tableMs: exactly(4, 'ms', 'for a request to a table', table),
    queueMs: exactly(10, 'ms', 'for a request to SQS', 'judgement, not measured'),
    postMs,
    managementMs: exactly(
      awsProfiles.default.managementMs,
      'ms',
      'for a post to @connections',
      'users report 10 to 15; AWS says nothing',
    ),
  };
}

/** The times as they are expected. */
export function expectedTimes(): Times {
  return Object.fromEntries(Object.entries(timeRanges()).map(([name, { expected }]) => [name, expected])) as Times;
}
