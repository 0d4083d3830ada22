import { importFromFlagd } from './flagd/import.ts';
import { importFromFlagsmith } from './flagsmith/import.ts';
import { importFromGoFeatureFlag } from './gofeatureflag/import.ts';
import { REST_QUERY } from './launchdarkly/format.ts';
import { importFromLaunchDarkly } from './launchdarkly/import.ts';
import type { Translation } from './translation/translator.ts';
import { importFromUnleash } from './unleash/import.ts';

interface ReadOptions {
  /** The environment to read, if the file has several. */
  readonly sourceEnv?: string | undefined;
  readonly isYaml?: boolean;
}

/** A service whose flags can be imported. */
export interface Service {
  readonly title: string;
  /**
   * Paths of members that tell its files from others, for each form of file. `*` is any member, `!` a member that no
   * such file has. At most one service fits a file, and none fits a file of a service that is not listed.
   */
  readonly marks: readonly string[];
  /** The supported files of the service. */
  readonly form: string;
  /** True if its files can have several environments. */
  readonly hasEnvironments?: true;
  /** The members of a file that the import reads, and those that hold no flags. */
  readonly members: readonly string[];
  /** True if it reads only the first document of a YAML file, with scalars as in {@link readFirstDocument}. */
  readonly readsFirstDocument?: true;
  /** Parses a file. @throws {WrongForm} for another format */
  readonly read?: (file: unknown, options?: ReadOptions) => Translation;
}

/** Services by their names for `--from`. FeatBit's documents are stored unchanged. */
export const SERVICES: Readonly<Record<string, Service>> = {
  featbit: {
    title: 'FeatBit',
    form: 'the response of GET /api/public/sdk/server/latest-all with a server key, the output of export, or flags in an array',
    marks: [
      '*.variationType *.variations !data',
      'flags.*.variationType flags.*.variations !flags.*.allocations',
      'featureFlags.*.variationType !featureFlags.*.variationOptions',
      'featureFlags eventType !featureFlags.*.variationOptions',
      'variationType variations',
      'segments.*.included segments.*.updatedAt !flags.* !featureFlags.*',
    ],
    members: ['flags', 'featureFlags', 'segments'],
  },
  flagd: {
    title: 'flagd',
    form: 'flag definitions (schema v0), or FeatureFlag resources of Kubernetes, in YAML or JSON',
    marks: ['flags.*.variants flags.*.state', 'flags.*.variants !flags.*.state !flags.*.enabled'],
    members: ['flags', '$evaluators', 'metadata'],
    read: importFromFlagd,
  },
  flagsmith: {
    title: 'Flagsmith',
    form: 'an environment document (GET /api/v1/environment-document/)',
    marks: ['feature_states project'],
    members: ['feature_states', 'identity_overrides', 'project.segments', 'project.server_key_only_feature_ids'],
    read: importFromFlagsmith,
  },
  gofeatureflag: {
    title: 'GO Feature Flag',
    form: 'its configuration of flags, in YAML or JSON',
    marks: ['flags.*.defaultRule'],
    members: ['flags'],
    readsFirstDocument: true,
    read: (file, options) => importFromGoFeatureFlag(file, options),
  },
  launchdarkly: {
    title: 'LaunchDarkly',
    form: `the data of SDKs (GET https://sdk.launchdarkly.com/sdk/latest-all), or flags of the REST API with ${REST_QUERY}`,
    marks: [
      'flags.*.on flags.*.variations',
      'flags.*.on flags.*.fallthrough',
      'flagValues',
      'items.*.environments.*.on',
    ],
    members: ['flags', 'flagValues', 'segments', 'items'],
    hasEnvironments: true,
    read: (file, options) => importFromLaunchDarkly(file, options?.sourceEnv),
  },
  unleash: {
    title: 'Unleash',
    form: 'the response of GET /api/client/features, or an export of one environment',
    marks: ['features.*.strategies', 'features featureStrategies', 'features !features.*'],
    members: [
      ...['features', 'segments', 'featureStrategies', 'featureEnvironments', 'featureStrategySegments'],
      ...['dependencies', 'environments', 'strategies', 'projects', 'contextFields', 'featureTags', 'tags', 'tagTypes'],
    ],
    hasEnvironments: true,
    read: (file, options) => importFromUnleash(file, options?.sourceEnv),
  },
};
