import { replyTo } from '../../shared/delivery/reply.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { type Flag, parseFlag } from '../../shared/flags/flag.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import type { User } from '../../shared/flags/user.ts';
import { benchmarkDocuments } from '../../shared/testing/fixtures.ts';

const raw = benchmarkDocuments();

/** The benchmark's flags and segments, as the runner fetches them from a target. */
export const benchmarkEnvironment = {
  envId: '226b9bf8-4af3-4ffa-9b01-162270e4cd40',
  flags: raw.flags.map((each) => parsed<Flag>(parseFlag(each))),
  segments: raw.segments.map((each) => parsed<Segment>(parseSegment(each))),
};

const snapshot = compileSnapshot({ ...benchmarkEnvironment, version: 0 });

/** The correct reply to this user. */
export function rightAnswer(user: User): string {
  return replyTo(snapshot, 'client', { timestamp: 0, user }).text();
}

function parsed<T>(result: { ok: true; value: T } | { ok: false }): T {
  if (!result.ok) throw new Error('a document of the benchmark cannot be read');
  return result.value;
}
