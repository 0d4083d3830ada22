import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { SdkName } from '../describe/sdks/sdkConditions.ts';
import { type Flag, parseFlag } from '../flags/flag.ts';
import { formatProblem, type ParseResult } from '../flags/problem.ts';
import { parseSegment, type Segment } from '../flags/segment.ts';

/** One of twelve users, and the whole data-sync reply of FeatBit's server for the benchmark data. */
interface ClientFullSync {
  /** As an SDK sends it. */
  readonly user: unknown;
  readonly response: { readonly data: { readonly featureFlags: readonly unknown[] } };
}

/** A key and its bucket by FeatBit's hash. */
interface RolloutVector {
  readonly key: string;
  readonly int32le: number;
  readonly bucket: number;
}

/** The result of FeatBit's evaluator for a flag and a user: id and value of the variation, reason, experiment. */
type FeatBitAnswer = readonly [string | null, string | null, string, boolean];

/** A generated environment, and the results of FeatBit's compiled evaluator (commit 366b4a1, .NET 10) for its users. */
export interface EvaluatorVectors extends RawDocuments {
  /** As SDKs send them. */
  readonly users: readonly unknown[];
  /** By user and flag. A string if the evaluator throws. Null for all flags of an invalid user. */
  readonly expected: readonly ((FeatBitAnswer | string)[] | null)[];
}

/** An environment's raw documents, as FeatBit exports them. */
export interface RawDocuments {
  readonly flags: readonly unknown[];
  readonly segments: readonly unknown[];
}

/** Measured conditions: each has a character for each text, 1 if it matches, 0 if not, ! if the SDK gives no value. */
interface SdkConditions {
  /** Their versions. */
  readonly sdks: Readonly<Record<SdkName, string>>;
  /** Null if the attribute is missing. */
  readonly texts: readonly (string | null)[];
  /** An SDK whose answers are this service's is left out. */
  readonly conditions: readonly ({ readonly op: string; readonly value: string; readonly Flagwire: string } & {
    readonly [sdk in SdkName]?: string;
  })[];
}

/** FeatBit's benchmark data set: five flags and two segments. */
export function benchmarkDocuments(): RawDocuments {
  return {
    flags: read('../reference-data/flags.json') as unknown[],
    segments: read('../reference-data/segments.json') as unknown[],
  };
}

/** The environment in the evaluator tests of FeatBit's Java, Python and Go SDKs. */
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

/** The file of {@link sdkConditions}, which `dev/verify/conformance/measureConditions.ts` writes. */
export const CONDITIONS_FILE = new URL('./data/sdk-conditions.json', import.meta.url);

/** What FeatBit's server-side SDKs make of conditions on the attribute `v`, by running them. */
export function sdkConditions(): SdkConditions {
  return read('./data/sdk-conditions.json') as SdkConditions;
}

/** 14 environments with 252 flags, 84 segments and 308 users, with many unusual texts, lists and expressions. */
export function evaluatorVectors(): readonly EvaluatorVectors[] {
  const packed = readFileSync(new URL('./data/featbit-evaluator-vectors.json.gz', import.meta.url));
  return JSON.parse(gunzipSync(packed).toString()) as EvaluatorVectors[];
}

/**
 * Parses raw documents with the project's parsers.
 *
 * @throws {Error} with the problems of a refused document
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
 * @throws {Error} if there is none
 */
export function accepted<T>(result: ParseResult<T>): T {
  if (!result.ok) throw new Error(`the document is refused: ${result.problems.map(formatProblem).join('; ')}`);
  return result.value;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}
