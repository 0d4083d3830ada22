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

/**
 * Says what is wrong with a file that has fields of another service.
 *
 * @param from the service that it should be of
 * @returns undefined for a file of that service, or of none that is known
 */
export function mistakenService(file: unknown, from: string): string | undefined {
  const fieldOf = ({ fields }: Pick<Service, 'fields'>) => fields.find((path) => hasField(file, path.split('.')));
  const all = Object.entries({ ...SERVICES, featbit: FEATBIT });
  const expected = all.find(([name]) => name === from)?.[1];
  if (!expected || fieldOf(expected)) return undefined;
  for (const [name, service] of all) {
    const field = fieldOf(service);
    if (field)
      return `it has "${field}", as files of ${service.title} do, not of ${expected.title}: use --from ${name}`;
  }
  return undefined;
}

/** Which files of a service are read, by the name that `--from` takes, as a clause of a message. */
export function formsOf(from: string): string {
  const { title, form } = SERVICES[from] ?? FEATBIT;
  return `files of ${title} that are read: ${form}`;
}

function hasField(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (name === '*') {
    const members = Array.isArray(value) || isJsonObject(value) ? Object.values(value) : [];
    return members.length > 0 && hasField(members[0], rest);
  }
  return isJsonObject(value) && Object.hasOwn(value, name) && hasField(value[name], rest);
}
