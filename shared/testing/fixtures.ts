import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Flag, parseFlag } from '../flags/flag.ts';
import { formatProblem, type ParseResult } from '../flags/problem.ts';
import { parseSegment, type Segment } from '../flags/segment.ts';

/** One of twelve users and the whole data-sync that FeatBit's server answers it with on the benchmark data set. */
interface ClientFullSync {
  /** As an SDK sends it. */
  readonly user: unknown;
  readonly response: { readonly data: { readonly featureFlags: readonly unknown[] } };
}

/** A key and the bucket that FeatBit's hash puts it in. */
interface RolloutVector {
  readonly key: string;
  readonly int32le: number;
  readonly bucket: number;
}

/** What FeatBit's own evaluator says of a flag for a user: id and value of the variation, reason, experiment. */
type FeatBitAnswer = readonly [string | null, string | null, string, boolean];

/** A generated environment, and what FeatBit's compiled evaluator (commit 366b4a1, .NET 10) answers for its users. */
export interface EvaluatorVectors extends RawDocuments {
  /** As SDKs send them. */
  readonly users: readonly unknown[];
  /** By user and flag; a text where the evaluator throws, and null for all flags of a user that is not valid. */
  readonly expected: readonly ((FeatBitAnswer | string)[] | null)[];
}

/** An environment's raw documents, as they come out of FeatBit. */
export interface RawDocuments {
  readonly flags: readonly unknown[];
  readonly segments: readonly unknown[];
}

/** FeatBit's benchmark data set: five flags and two segments. */
export function benchmarkDocuments(): RawDocuments {
  return {
    flags: read('../reference-data/flags.json') as unknown[],
    segments: read('../reference-data/segments.json') as unknown[],
  };
}

/** The environment that FeatBit's Java, Python and Go SDKs test their evaluators on. */
export function sdkFixtureDocuments(): RawDocuments {
  const { data } = read('./data/sdk-fixture-fbclient_test_data.json') as {
    data: { featureFlags: unknown[]; segments: unknown[] };
  };
  return { flags: data.featureFlags, segments: data.segments };
}

export function clientFullSyncs(): readonly ClientFullSync[] {
  return read('./data/expected-client-full-sync.json') as ClientFullSync[];
}

export function rolloutVectors(): readonly RolloutVector[] {
  return read('./data/rollout-vectors.json') as RolloutVector[];
}

/** 14 environments with 252 flags, 84 segments and 308 users, full of odd texts, lists and expressions. */
export function evaluatorVectors(): readonly EvaluatorVectors[] {
  const packed = readFileSync(new URL('./data/featbit-evaluator-vectors.json.gz', import.meta.url));
  return JSON.parse(gunzipSync(packed).toString()) as EvaluatorVectors[];
}

/**
 * Reads raw documents with our own parsers.
 *
 * @throws {Error} when one of them is refused; names the document's problems
 */
export function parseDocuments(documents: RawDocuments): { flags: Flag[]; segments: Segment[] } {
  return {
    flags: documents.flags.map((document) => accepted(parseFlag(document))),
    segments: documents.segments.map((document) => accepted(parseSegment(document))),
  };
}

/**
 * The document of a parse result.
 *
 * @throws {Error} when there is none
 */
export function accepted<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new Error(`the document is refused: ${result.problems.map(formatProblem).join('; ')}`);
  return result.value;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
