import { compileSnapshot, formatInvalidCondition } from '../shared/evaluation/snapshot.ts';
import { byKind, type Document, documentName } from '../shared/flags/document.ts';
import { parseFlag } from '../shared/flags/flag.ts';
import { formatProblem } from '../shared/flags/problem.ts';
import { isJsonObject } from '../shared/flags/reader.ts';
import { parseSegment } from '../shared/flags/segment.ts';
import { problemOfValue } from '../shared/flags/variationValue.ts';
import { CliError } from './io.ts';
import { readJson } from './jsonFile.ts';
import {
  formsOf,
  mistakenService,
  recogniseService,
  SERVICE_NAMES,
  SERVICES,
  unsupportedService,
  unsupportedText,
} from './services.ts';
import { type Translation, WrongForm } from './translation/translation.ts';

/** The documents of an import file, and its problems. */
interface ImportReading {
  readonly documents: readonly Document[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Parses FeatBit's documents from files: an array of flags or segments, or an object with `flags` (or `featureFlags`)
 * and `segments`, as `export` writes it. Every problem names its file, document and path.
 *
 * @param kind the kind of documents in an array
 * @throws {CliError} as {@link readJson}
 */
export function readImportFile(path: string, kind: Document['kind']): ImportReading {
  return readDocuments(path, readJson(path), kind);
}

/** The documents of a service's file. For other services than FeatBit, also what is left out or differs. */
interface ForeignReading extends ImportReading {
  /** The service's name for `--from`. */
  readonly from: string;
  readonly report?: Pick<Translation, 'leftOut' | 'differences'>;
}

/**
 * Reads a service's file.
 *
 * @param wanted one of {@link SERVICE_NAMES}; detected from the content if omitted
 * @throws {CliError} as {@link readJson}, or if the file has another format; the message names the invalid field
 */
export function readForeignFile(path: string, wanted: string | undefined): ForeignReading {
  const content = readJson(path, (text) => unsupportedText(path, text));
  const from = wanted ?? recogniseService(content);
  const problem = unsupportedService(content) ?? (from === undefined ? undefined : mistakenService(content, from));
  if (problem !== undefined) throw new CliError(`${path}: ${problem}`);
  if (from === undefined) throw new CliError(`which service wrote ${path}? add --from ${SERVICE_NAMES.join(', ')}`);
  const service = SERVICES[from];
  try {
    return { from, ...(service ? asReading(service.read(content)) : readDocuments(path, content, 'flag')) };
  } catch (error) {
    if (!(error instanceof WrongForm)) throw error;
    throw new CliError(`${path}: ${error.message}; ${formsOf(from)}`);
  }
}

function asReading({ flags, segments, leftOut, differences }: Translation): Omit<ForeignReading, 'from'> {
  const documents: Document[] = [
    ...segments.map((document) => ({ kind: 'segment' as const, document })),
    ...flags.map((document) => ({ kind: 'flag' as const, document })),
  ];
  return { documents, errors: [], warnings: [], report: { leftOut, differences } };
}

function readDocuments(path: string, content: unknown, kind: Document['kind']): ImportReading {
  const groups: [Document['kind'], unknown][] = isJsonObject(content)
    ? [
        ['segment', content['segments'] ?? []],
        ['flag', content['flags'] ?? content['featureFlags'] ?? []],
      ]
    : [[kind, content]];
  const documents: Document[] = [];
  const errors: string[] = [];
  if (isJsonObject(content) && !['flags', 'featureFlags', 'segments'].some((name) => name in content)) {
    errors.push(`${path}: an object must have "flags" (or "featureFlags") or "segments"`);
  }
  const warnings: string[] = [];
  for (const [of, values] of groups) {
    if (!Array.isArray(values)) {
      errors.push(`${path}: the ${of}s must be an array`);
      continue;
    }
    values.forEach((value: unknown, index) => {
      const result = (of === 'flag' ? parseFlag : parseSegment)(value);
      const name = isJsonObject(value) ? (value['key'] ?? value['id'] ?? value['name']) : undefined;
      for (const problem of result.problems) {
        const line = `${path}: ${of} ${index + 1} (${String(name ?? 'unnamed')}): ${formatProblem(problem)}`;
        (problem.severity === 'error' ? errors : warnings).push(line);
      }
      if (result.ok) documents.push({ kind: of, document: result.value } as Document);
    });
  }
  return { documents, errors: [...errors, ...duplicatesIn(path, documents)], warnings };
}

/** The conditions of these documents with an unintended effect, as lines. */
export function invalidConditionsIn(documents: readonly Document[]): string[] {
  const snapshot = compileSnapshot({ envId: '', version: 0, ...byKind(documents) });
  return snapshot.invalidConditions.map(formatInvalidCondition);
}

/** The variations of these documents that SDKs cannot parse as their flag's type, as lines. */
export function invalidValuesIn(documents: readonly Document[]): string[] {
  return byKind(documents).flags.flatMap(({ key, variationType, variations }) =>
    variations.flatMap(({ value }, index) => {
      const problem = problemOfValue(variationType, value);
      return problem === undefined ? [] : [`flag "${key}" variations[${index}]: ${problem}`];
    }),
  );
}

function duplicatesIn(path: string, documents: readonly Document[]): string[] {
  const names = documents.map(documentName);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `${path}: ${name} occurs more than once`,
  );
}
