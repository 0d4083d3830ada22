import { isJsonObject, type JsonObject } from '../../shared/flags/reader.ts';
import { parseYaml } from './jsonFile.ts';
import { SERVICES, type Service } from './services.ts';
import { YamlBudget } from './yamlLimits.ts';

/**
 * The part of a file that has the flags. FeatBit's messages have it in `data`, resources of Kubernetes in `spec`. A
 * single flag of LaunchDarkly becomes one of a file.
 *
 * @param onLost gets a line for what is lost of several documents
 * @throws {YamlTooLarge} if the texts of ConfigMaps expand to more than {@link YamlBudget} allows
 */
export function flagsPart(file: unknown, onLost: (line: string) => void = () => {}): unknown {
  return partOf(file, onLost, new YamlBudget());
}

/** @param budget of the texts of ConfigMaps. Undefined for such a text, which has none of its own */
function partOf(file: unknown, onLost: (line: string) => void, budget: YamlBudget | undefined): unknown {
  if (Array.isArray(file) && hasMarks(file, '*.environments.*.on *.variations')) return { items: file };
  if (!isJsonObject(file)) return file;
  const texts =
    budget && isConfigMap(file) ? configMapTexts(file).flatMap((text) => parseYaml(text, budget)) : undefined;
  const several = [file['documents'], file['items'], texts].find(
    (list) => Array.isArray(list) && list.some(isResource),
  );
  if (Array.isArray(several)) return mergeParts(several, onLost, several === texts ? undefined : budget);
  if (hasMarks(file, 'environments.*.on variations')) return { items: [file] };
  if (hasMarks(file, 'on fallthrough variations key')) return { flags: { [String(file['key'])]: file } };
  // Flags by their keys, without any other member.
  if (hasMarks(file, '*.defaultRule !flags')) return { flags: file };
  const spec = isJsonObject(file['spec']) ? file['spec'] : {};
  const parts = [file, file['data'], spec['flagSpec'], spec['featureFlagSpec']];
  return parts.find((part) => recogniseService(part) !== undefined) ?? file;
}

/** A document of a YAML file, or a resource of a Kubernetes list. */
function isResource(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  return ['spec', 'flags', '*.defaultRule'].some((mark) => hasMarks(value, mark)) || isConfigMap(value);
}

function isConfigMap(value: unknown): value is { readonly data: JsonObject } {
  return isJsonObject(value) && value['kind'] === 'ConfigMap' && isJsonObject(value['data']);
}

/** The files in ConfigMaps of Kubernetes: one of them, or the ones of a list. */
export function configMapTexts(file: unknown): string[] {
  if (isConfigMap(file)) return Object.values(file.data).filter((text) => typeof text === 'string');
  const { documents, items } = isJsonObject(file) ? file : {};
  return [documents, items]
    .flatMap((list) => (Array.isArray(list) ? list.filter(isConfigMap) : []))
    .flatMap(configMapTexts);
}

/** The flags of all documents. The last one of a key counts, as in flagd's sources. */
function mergeParts(
  documents: readonly unknown[],
  onLost: (line: string) => void,
  budget: YamlBudget | undefined,
): unknown {
  const all = new Map<string, unknown>();
  for (const [index, document] of documents.entries()) {
    const part = partOf(document, onLost, budget);
    if (isJsonObject(part) && recogniseService(part) !== undefined) mergeInto(all, part, onLost);
    // Kubernetes has resources of other kinds.
    else if (!hasMarks(document, 'apiVersion kind') || hasMarks(document, 'spec.flagSpec'))
      onLost(`document ${index + 1}, which is a file of no service that import knows`);
  }
  return Object.fromEntries(all);
}

function mergeInto(all: Map<string, unknown>, part: JsonObject, onLost: (line: string) => void): void {
  for (const [name, value] of Object.entries(part)) {
    const before = all.get(name);
    if (isJsonObject(before) && isJsonObject(value)) {
      for (const key of Object.keys(value).filter((each) => Object.hasOwn(before, each)))
        onLost(`an earlier "${name}.${key}": another document has it too, and only the last is imported`);
      all.set(name, { ...before, ...value });
    } else all.set(name, Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value);
  }
}

/** The service that wrote a file, by members that only its files have. The name is a value of `--from`. */
export function recogniseService(file: unknown): string | undefined {
  return servicesOf(file)[0];
}

/** The services that could have written a file, by name: at most one for a file of any known service. */
export function servicesOf(file: unknown): readonly string[] {
  return Object.entries(SERVICES).flatMap(([name, service]) => (markIn(file, service) === undefined ? [] : name));
}

/**
 * Why a file is not of the expected service, by members of another one.
 *
 * @returns undefined if the file is of that service, or of an unknown one
 */
export function mistakenService(file: unknown, from: string): string | undefined {
  const name = recogniseService(file);
  if (name === undefined || name === from) return undefined;
  const mark = markIn(file, SERVICES[name]);
  return `it has the field "${mark}" of ${SERVICES[name]?.title}, not of ${SERVICES[from]?.title}; use --from ${name}`;
}

/** Why a text is not JSON. @returns undefined if its format is unknown */
export function formatAdvice(path: string, text: string): string | undefined {
  if (/[.]toml$/i.test(path)) return 'TOML is not supported; convert the file to YAML or JSON first';
  return !/^\s*[[{]/.test(text) && /^(---|[\w"'-]+:(\s|$))/m.test(text)
    ? 'it looks like YAML; end its name with .yaml'
    : undefined;
}

/** What to do with a file that no supported service wrote. */
export function unknownService(): string {
  const titles = Object.values(SERVICES).map(({ title }) => title);
  return (
    `is a file of no service that import knows: ${titles.join(', ')} (docs/import.md). For another service, create the flags ` +
    'with the commands create, rule add and rollout, or write them as flag definitions of flagd and import those. ' +
    'If the file has no flags, name its service with --from'
  );
}

/** The first member of a file by which a service fits. */
function markIn(file: unknown, service: Service | undefined): string | undefined {
  return service?.marks.find((marks) => hasMarks(file, marks))?.split(' ')[0];
}

function hasMarks(file: unknown, marks: string): boolean {
  return marks
    .split(' ')
    .every((mark) =>
      mark.startsWith('!') ? !hasMember(file, mark.slice(1).split('.')) : hasMember(file, mark.split('.')),
    );
}

function hasMember(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (name === '*') {
    const members = Array.isArray(value) || isJsonObject(value) ? Object.values(value) : [];
    return members.some((member) => hasMember(member, rest));
  }
  return isJsonObject(value) && Object.hasOwn(value, name) && hasMember(value[name], rest);
}
