import { formatInvalidCondition } from '../../shared/evaluation/invalidCondition.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { byKind, type Document, documentName } from '../../shared/flags/document.ts';
import { problemOfKey } from '../../shared/flags/flag.ts';
import { parseDocument } from '../../shared/flags/parseDocument.ts';
import { formatProblem } from '../../shared/flags/problem.ts';
import { isJsonObject } from '../../shared/flags/reader.ts';
import { problemOfValue } from '../../shared/flags/variationValue.ts';
import { problemOfText } from '../../shared/flags/wellFormed.ts';
import { CliError } from '../io.ts';
import {
  configMapTexts,
  flagsPart,
  formatAdvice,
  mistakenService,
  recogniseService,
  unknownService,
} from './detection.ts';
import { type JsonFile, parseYaml, readJson } from './jsonFile.ts';
import { SERVICES, type Service } from './services.ts';
import type { Translation } from './translation/translator.ts';
import { WrongForm } from './translation/values.ts';
import { unreadMembers } from './unreadMembers.ts';
import { YamlBudget, YamlTooLarge } from './yamlLimits.ts';
import { readFirstDocument } from './yamlScalars.ts';

const REPEATED = 'the key occurs more than once, and only the last is imported';
const MOVED = 'JSON whose keys are whole numbers lists these first, in ascending order';
/** Objects whose order has no meaning: flags and variants by key. */
const UNORDERED = /^(spec\.\w+\.)?flags(\.[^.]+\.variants)?$/;

/** The documents of an import file, its problems, and what is left out or differs. */
export interface ImportReading extends Pick<Translation, 'leftOut' | 'differences'> {
  readonly documents: readonly Document[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** A reading, and the service's name for `--from`. */
type FileReading = ImportReading & { readonly from: string };

/**
 * Reads a service's file. Every problem names its file, document and path.
 *
 * @param wanted the service's name for `--from`; detected from the content if omitted
 * @param sourceEnv the environment to read, if the file has several
 * @throws {CliError} as {@link readJson}, or if the file has another format; the message names the invalid field
 */
export function readImportFile(path: string, wanted: string | undefined, sourceEnv?: string): FileReading {
  return inFile(path, () => readService(path, wanted, sourceEnv));
}

/** @throws {CliError} with the name of the file if it is too large or too deep for its reader */
function inFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof YamlTooLarge) throw new CliError(`${path} cannot be read: ${error.message}`);
    // Readers of conditions are recursive.
    if (!(error instanceof RangeError) || !/call stack/.test(error.message)) throw error;
    throw new CliError(
      `${path} has a condition with too many parts; replace "or" of many values by one list, or write several rules`,
    );
  }
}

function readService(path: string, wanted: string | undefined, sourceEnv?: string): FileReading {
  const file = readJson(path, (text) => formatAdvice(path, text));
  const lost: string[] = [];
  const content = flagsPart(file.content, (line) => lost.push(line));
  const from = wanted ?? recogniseService(content);
  const service = from === undefined ? undefined : SERVICES[from];
  if (from === undefined || !service) throw new CliError(`${path} ${unknownService()}`);
  const problem = mistakenService(content, from);
  if (problem !== undefined) throw new CliError(`${path}: ${problem}`);
  if (sourceEnv !== undefined && !service.hasEnvironments)
    throw new CliError(`omit --source-env: files of ${service.title} have one environment`);
  if (!service.read) {
    const reading = readFeatBit(path, file);
    return { from, ...reading, leftOut: [...lost, ...reading.leftOut] };
  }
  try {
    const first = service.readsFirstDocument ? readFirst(file, from) : undefined;
    const isFirst = first !== undefined;
    const read = isFirst ? flagsPart(first) : content;
    const { flags, segments, leftOut, differences } = service.read(read, sourceEnv, isFirst);
    const documents: Document[] = [
      ...segments.map((document) => ({ kind: 'segment' as const, document })),
      ...flags.map((document) => ({ kind: 'flag' as const, document })),
    ];
    return {
      from,
      documents,
      errors: [],
      warnings: [],
      leftOut: [...(isFirst ? laterDocuments(file, service) : lost), ...lostIn(file, content, service), ...leftOut],
      differences: [...file.moved.filter((at) => !UNORDERED.test(at)).map((at) => `${at}: ${MOVED}`), ...differences],
    };
  } catch (error) {
    if (!(error instanceof WrongForm)) throw error;
    throw new CliError(`${path}: ${error.message}; supported files of ${service.title}: ${service.form}`);
  }
}

/**
 * The first document of a service's YAML file, or of the only one in ConfigMaps of Kubernetes.
 *
 * @returns undefined for other files
 */
function readFirst(file: JsonFile, service: string): unknown {
  const texts = configMapTexts(file.content);
  const all = texts.length === 0 && file.yaml !== undefined ? [file.yaml] : texts;
  const readable = all.filter((text) => recogniseService(flagsPart(parseYaml(text, new YamlBudget()))) === service);
  const found = readable.map(readFirstDocument).filter((each) => recogniseService(flagsPart(each)) === service);
  return found.length === 1 ? found[0] : undefined;
}

function laterDocuments({ content }: JsonFile, { title }: Service): string[] {
  const hasSeveral = isJsonObject(content) && Array.isArray(content['documents']);
  return hasSeveral ? [`the documents after the first, which ${title} does not read`] : [];
}

/** What an import of a file would lose, besides flags that it refuses. */
function lostIn({ repeated }: JsonFile, content: unknown, { members }: Pick<Service, 'members'>): string[] {
  return [...repeated.map((at) => `an earlier "${at}": ${REPEATED}`), ...unreadMembers(content, members)];
}

/**
 * FeatBit's documents: an array of flags or segments, a flag, or an object with `flags` (or `featureFlags`) and `segments`, as `export`
 * writes it. They are stored unchanged. Their numbers are doubles in every SDK.
 */
function readFeatBit(path: string, file: JsonFile): ImportReading {
  const content: unknown = JSON.parse(JSON.stringify(flagsPart(file.content)));
  const isFile = isJsonObject(content) && !Object.hasOwn(content, 'variationType');
  const groups: [Document['kind'], unknown][] = isFile
    ? [
        ['segment', content['segments'] ?? []],
        ['flag', content['flags'] ?? []],
        ['flag', content['featureFlags'] ?? []],
      ]
    : [[isListOfSegments(content) ? 'segment' : 'flag', isJsonObject(content) ? [content] : content]];
  const documents: Document[] = [];
  const errors: string[] = [];
  const { members } = SERVICES['featbit'] ?? { members: [] };
  if (isFile && !members.some((name) => name in content)) {
    errors.push(`${path}: an object must have "flags" (or "featureFlags") or "segments"`);
  }
  const warnings: string[] = [];
  const leftOut: string[] = [];
  for (const [of, values] of groups) {
    if (!Array.isArray(values)) {
      errors.push(`${path}: the ${of}s must be an array`);
      continue;
    }
    values.forEach((value: unknown, index) => {
      const result = parseDocument(of, value);
      const name = isJsonObject(value) ? (value['key'] ?? value['id'] ?? value['name']) : undefined;
      for (const problem of result.problems) {
        const line = `${path}: ${of} ${index + 1} (${String(name ?? 'unnamed')}): ${formatProblem(problem)}`;
        (problem.severity === 'error' ? errors : warnings).push(line);
      }
      const refused = rulesWithoutConditions(value).map(
        (at) => `${at}.conditions is null or missing, which FeatBit refuses; write [] for a rule of all users`,
      );
      // Without a segment, its flags would be wrong.
      if (of === 'segment') errors.push(...refused.map((why) => `${path}: segment ${index + 1} (${name}): ${why}`));
      else leftOut.push(...refused.map((why) => `flag ${name}: ${why}`));
      if (result.ok && refused.length === 0) documents.push(result.value);
    });
  }
  leftOut.push(...lostIn(file, isFile ? content : [], { members }));
  return { documents, errors: [...errors, ...duplicatesIn(path, documents)], warnings, leftOut, differences: [] };
}

function isListOfSegments(content: unknown): boolean {
  return Array.isArray(content) && content.some((each) => isJsonObject(each) && Object.hasOwn(each, 'included'));
}

/** Elsewhere, a rule without this member matches everybody, as one with an empty list. */
function rulesWithoutConditions(document: unknown): string[] {
  const rules = isJsonObject(document) ? document['rules'] : [];
  if (!Array.isArray(rules)) return [];
  return rules.flatMap((rule, n) => (isJsonObject(rule) && rule['conditions'] == null ? [`rules[${n}]`] : []));
}

/** Leaves out flags that no environment accepts ({@link problemOfKey}, {@link problemOfText}), and names those that are not deleted. */
export function withoutUnacceptable(all: readonly Document[]): { documents: Document[]; leftOut: string[] } {
  const problemOf = ({ kind, document }: Document) =>
    kind === 'flag' ? (problemOfKey(document.key) ?? problemOfText(document)) : undefined;
  const documents = all.filter((each) => problemOf(each) === undefined);
  const named = withoutDeleted(all).filter((each) => problemOf(each) !== undefined);
  return { documents, leftOut: named.map((each) => `${documentName(each)}: ${problemOf(each)}`) };
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

/** Documents that occur more than once, as errors. @param path of the file, or of several */
export function duplicatesIn(path: string, documents: readonly Document[]): string[] {
  const names = documents.map(documentName);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `${path}: ${name} occurs more than once`,
  );
}
