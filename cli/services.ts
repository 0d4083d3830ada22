import { isJsonObject } from '../shared/flags/reader.ts';
import { importFromFlagd } from './flagd/import.ts';
import { importFromFlagsmith } from './flagsmith/import.ts';
import { importFromLaunchDarkly } from './launchdarkly/import.ts';
import type { Translation } from './translation/translation.ts';
import { importFromUnleash } from './unleash/import.ts';

/** A service whose flags can be imported. */
interface Service {
  readonly title: string;
  /** The supported files of the service. */
  readonly form: string;
  /** Fields that only its files have. `*` means the first member. */
  readonly fields: readonly string[];
  /** Parses a file. @throws {WrongForm} for another format */
  readonly read: (file: unknown) => Translation;
}

/** Services by their names for `--from`, except FeatBit, whose documents are stored unchanged. */
export const SERVICES: Readonly<Record<string, Service>> = {
  flagd: {
    title: 'flagd',
    form: 'flag definitions (schema v0)',
    fields: ['flags.*.variants', 'flags.*.defaultVariant'],
    read: importFromFlagd,
  },
  flagsmith: {
    title: 'Flagsmith',
    form: 'an environment document (GET /api/v1/environment-document/)',
    fields: ['feature_states', 'project.segments'],
    read: importFromFlagsmith,
  },
  launchdarkly: {
    title: 'LaunchDarkly',
    form: 'the data of SDKs (GET https://sdk.launchdarkly.com/sdk/latest-all), or flags of the REST API with ?env=<key>',
    fields: ['flags.*.on', 'items.*.environments', 'environments'],
    read: importFromLaunchDarkly,
  },
  unleash: {
    title: 'Unleash',
    form: 'the response of GET /api/client/features, or an export of one environment',
    fields: ['features', 'featureStrategies'],
    read: importFromUnleash,
  },
};

const FEATBIT = {
  title: 'FeatBit',
  form: 'an array of flags, or the output of export',
  fields: ['*.variationType', 'flags.*.variationType', 'featureFlags', 'segments.*.updatedAt'],
};

/** The values of `--from`. */
export const SERVICE_NAMES: readonly string[] = ['featbit', ...Object.keys(SERVICES)];

/** Services whose files are recognised but not supported. */
const UNSUPPORTED: readonly Pick<Service, 'title' | 'fields'>[] = [
  { title: 'GrowthBook', fields: ['features.*.defaultValue'] },
  { title: 'GO Feature Flag', fields: ['*.defaultRule'] },
  { title: 'ConfigCat', fields: ['f.*.v', 'settings.*.settingType'] },
  { title: 'AWS AppConfig', fields: ['values.*.enabled'] },
  { title: 'PostHog', fields: ['results.*.filters.groups', 'flags.*.filters.groups'] },
];

/** The usual format of GO Feature Flag. */
const GO_FEATURE_FLAG_YAML = /^\s+defaultRule:/m;

/** Why a file cannot be imported with any `--from`. @returns undefined if it can, or if its service is unknown */
export function unsupportedService(file: unknown): string | undefined {
  for (const service of UNSUPPORTED) {
    const field = fieldIn(file, service);
    if (field) return unsupported(service.title, field);
  }
  return undefined;
}

/** Why a text that is not JSON cannot be imported. @returns undefined if its format is unknown */
export function unsupportedText(path: string, text: string): string | undefined {
  if (GO_FEATURE_FLAG_YAML.test(text)) return unsupported('GO Feature Flag', 'defaultRule');
  return /[.]ya?ml$/i.test(path) ? 'YAML is not supported; convert the file to JSON first' : undefined;
}

function unsupported(title: string, field: string): string {
  return (
    `it has the field "${field}" of ${title}, whose files cannot be imported. Create these flags with the commands create, rule add and ` +
    'rollout, or write them as flag definitions of flagd and import those (docs/import.md)'
  );
}

/** The service that wrote a file, by the fields that only its files have. The name is a value of `--from`. */
export function recogniseService(file: unknown): string | undefined {
  return allServices().find(([, service]) => fieldIn(file, service))?.[0];
}

/**
 * The error for a file with fields of another service.
 *
 * @param from the expected service
 * @returns undefined if the file is of that service, or of an unknown one
 */
export function mistakenService(file: unknown, from: string): string | undefined {
  const expected = allServices().find(([name]) => name === from)?.[1];
  const name = recogniseService(file);
  if (!expected || name === undefined || fieldIn(file, expected)) return undefined;
  const service = SERVICES[name] ?? FEATBIT;
  return `it has the field "${fieldIn(file, service)}" of ${service.title}, not of ${expected.title}; use --from ${name}`;
}

/** The supported files of a service, by its name for `--from`, as a clause of a message. */
export function formsOf(from: string): string {
  const { title, form } = SERVICES[from] ?? FEATBIT;
  return `supported files of ${title}: ${form}`;
}

function allServices(): readonly (readonly [name: string, service: Pick<Service, 'title' | 'fields'>])[] {
  return Object.entries({ ...SERVICES, featbit: FEATBIT });
}

function fieldIn(file: unknown, { fields }: Pick<Service, 'fields'>): string | undefined {
  return fields.find((path) => hasField(file, path.split('.')));
}

function hasField(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (name === '*') {
    const members = Array.isArray(value) || isJsonObject(value) ? Object.values(value) : [];
    return members.length > 0 && hasField(members[0], rest);
  }
  return isJsonObject(value) && Object.hasOwn(value, name) && hasField(value[name], rest);
}
