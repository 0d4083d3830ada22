import { isJsonObject } from '../shared/flags/reader.ts';
import { importFromFlagd } from './flagd/import.ts';
import { importFromFlagsmith } from './flagsmith/import.ts';
import { importFromLaunchDarkly } from './launchdarkly/import.ts';
import type { Translation } from './translation/translation.ts';
import { importFromUnleash } from './unleash/import.ts';

/** A service whose flags can be imported. */
interface Service {
  readonly title: string;
  /** Which of its files are read. */
  readonly form: string;
  /** Fields that only its files have; `*` stands for the first member. */
  readonly fields: readonly string[];
  /** Reads a file. @throws {WrongForm} one of another form */
  readonly read: (file: unknown) => Translation;
}

/** Services by the name that `--from` takes, next to FeatBit, whose documents are stored as they are. */
export const SERVICES: Readonly<Record<string, Service>> = {
  flagd: {
    title: 'flagd',
    form: 'flag definitions (schema v0)',
    fields: ['flags.*.variants', 'flags.*.defaultVariant'],
    read: importFromFlagd,
  },
  flagsmith: {
    title: 'Flagsmith',
    form: 'an environment document, which GET /api/v1/environment-document/ answers',
    fields: ['feature_states', 'project.segments'],
    read: importFromFlagsmith,
  },
  launchdarkly: {
    title: 'LaunchDarkly',
    form: 'what SDKs get (GET https://sdk.launchdarkly.com/sdk/latest-all), or flags of the REST API with ?env=<key>',
    fields: ['flags.*.on', 'items.*.environments', 'environments'],
    read: importFromLaunchDarkly,
  },
  unleash: {
    title: 'Unleash',
    form: 'what GET /api/client/features answers, or an export of one environment',
    fields: ['features', 'featureStrategies'],
    read: importFromUnleash,
  },
};

const FEATBIT = {
  title: 'FeatBit',
  form: 'an array of flags, or the output of export',
  fields: ['*.variationType', 'flags.*.variationType', 'featureFlags', 'segments.*.updatedAt'],
};

/** The services that `--from` takes. */
export const SERVICE_NAMES: readonly string[] = ['featbit', ...Object.keys(SERVICES)];

/** Services whose files are recognised, and not read. */
const UNSUPPORTED: readonly Pick<Service, 'title' | 'fields'>[] = [
  { title: 'GrowthBook', fields: ['features.*.defaultValue'] },
  { title: 'GO Feature Flag', fields: ['*.defaultRule'] },
  { title: 'ConfigCat', fields: ['f.*.v', 'settings.*.settingType'] },
  { title: 'AWS AppConfig', fields: ['values.*.enabled'] },
  { title: 'PostHog', fields: ['results.*.filters.groups', 'flags.*.filters.groups'] },
];

/** GO Feature Flag's usual form. */
const GO_FEATURE_FLAG_YAML = /^\s+defaultRule:/m;

/** Why a file cannot be imported, whatever `--from` says. @returns undefined where it can, or is of no service that is known */
export function unsupportedService(file: unknown): string | undefined {
  for (const service of UNSUPPORTED) {
    const field = fieldIn(file, service);
    if (field) return unsupported(service.title, field);
  }
  return undefined;
}

/** Why a text that is not JSON cannot be imported. @returns undefined where its form is not known */
export function unsupportedText(path: string, text: string): string | undefined {
  if (GO_FEATURE_FLAG_YAML.test(text)) return unsupported('GO Feature Flag', 'defaultRule');
  return /[.]ya?ml$/i.test(path) ? 'YAML is not supported; convert the file to JSON first' : undefined;
}

function unsupported(title: string, field: string): string {
  return (
    `it has "${field}", as files of ${title} do, which cannot be imported. Create these flags with the commands create, rule add and ` +
    'rollout, or write them as flag definitions of flagd and import those (docs/import.md)'
  );
}

/** The service that wrote a file, by the fields that only its files have: a name that `--from` takes. */
export function recogniseService(file: unknown): string | undefined {
  return allServices().find(([, service]) => fieldIn(file, service))?.[0];
}

/**
 * Says what is wrong with a file that has fields of another service.
 *
 * @param from the service that it should be of
 * @returns undefined for a file of that service, or of none that is known
 */
export function mistakenService(file: unknown, from: string): string | undefined {
  const expected = allServices().find(([name]) => name === from)?.[1];
  const name = recogniseService(file);
  if (!expected || name === undefined || fieldIn(file, expected)) return undefined;
  const service = SERVICES[name] ?? FEATBIT;
  return `it has "${fieldIn(file, service)}", as files of ${service.title} do, not of ${expected.title}: use --from ${name}`;
}

/** Which files of a service are read, by the name that `--from` takes, as a clause of a message. */
export function formsOf(from: string): string {
  const { title, form } = SERVICES[from] ?? FEATBIT;
  return `files of ${title} that are read: ${form}`;
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
