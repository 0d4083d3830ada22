import { importFromFlagd } from './flagd/import.ts';
import { importFromFlagsmith } from './flagsmith/import.ts';
import { importFromGoFeatureFlag } from './gofeatureflag/import.ts';
import { REST_QUERY } from './launchdarkly/format.ts';
import { importFromLaunchDarkly } from './launchdarkly/import.ts';
import type { Translation } from './translation/translation.ts';
import { importFromUnleash } from './unleash/import.ts';

/** How files are recognised. */
export interface Detection {
  readonly title: string;
  /**
   * Paths of members that tell its files from others, for each form of file. `*` is any member, `!` a member that no
   * such file has. Exactly one entry of the tables here fits a file.
   */
  readonly marks: readonly string[];
}

interface ReadOptions {
  /** The environment to read, if the file has several. */
  readonly sourceEnv?: string | undefined;
  readonly isYaml?: boolean;
}

/** A service whose flags can be imported. */
export interface Service extends Detection {
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

const FEATBIT_ADDRESS = 'GET /api/public/sdk/server/latest-all';

/** Services by their names for `--from`. FeatBit's documents are stored unchanged. */
export const SERVICES: Readonly<Record<string, Service>> = {
  featbit: {
    title: 'FeatBit',
    form: `the response of ${FEATBIT_ADDRESS} with a server key, the output of export, or flags in an array`,
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

/** Files that are recognised but not supported. */
interface Unsupported extends Detection {
  /** Marks a file that is not JSON. */
  readonly text?: RegExp;
  /** What to do instead of the usual. */
  readonly advice?: string;
}

const ONE_USER = 'It has the values of one user without targets and rules. Import one of the files in docs/import.md';

export const UNSUPPORTED: readonly Unsupported[] = [
  { title: 'GrowthBook', marks: ['features.*.defaultValue', '*.defaultValue'] },
  {
    title: 'GO Feature Flag in TOML',
    marks: [],
    text: /^\s*\[[^\]]*[.]defaultRule\b/m,
    advice: 'Convert the file to YAML or JSON',
  },
  {
    title: 'GO Feature Flag in version 0',
    marks: ['*.true *.default'],
    advice: 'Write its flags in version 1 first, with variations and a defaultRule',
  },
  {
    title: 'Flipt',
    marks: [
      'flags.*.enabled flags.*.key !flags.*.allocations !flags.*.state !flags.*.variationType',
      'segments.*.match_type !flags',
    ],
    // A document for each namespace, one a line.
    text: /(?<=")namespace(?="[^\n]*\}\s*\n\s*\{)/,
  },
  {
    title: 'Harness',
    marks: [
      ...['featureFlags.flags.*.flag', 'features.*.defaultOnVariation', 'featureFlag.defaultOnVariation'],
      ...['defaultOnVariation defaultOffVariation', '*.defaultServe *.offVariation'],
    ],
  },
  {
    title: 'Split',
    marks: [
      ...['splits.*.defaultTreatment', 'splits till', 'ff.d', '*.defaultTreatment', 'defaultTreatment treatments'],
      '*.*.treatment',
    ],
  },
  { title: 'Statsig', marks: ['feature_gates', 'gates dynamic_configs'] },
  { title: 'Optimizely', marks: ['featureFlags rollouts', 'featureFlags experiments !rollouts'] },
  { title: 'Eppo', marks: ['flags.*.allocations'] },
  { title: 'Bucketeer', marks: ['features.*.defaultStrategy'] },
  { title: 'ConfigCat', marks: ['f.*.v', 'settings.*.settingType'] },
  { title: 'AWS AppConfig', marks: ['values.*.enabled flags'] },
  { title: 'PostHog', marks: ['results.*.filters.groups', 'flags.*.filters'] },
  {
    title: 'FeatBit’s management API',
    marks: ['items.*.variationType'],
    advice: `Import the response of ${FEATBIT_ADDRESS}`,
  },
  {
    title: 'FeatBit’s client SDKs',
    marks: ['featureFlags.*.variationOptions', '*.variationOptions *.matchReason'],
    advice: ONE_USER,
  },
  {
    title: 'LaunchDarkly’s client SDKs',
    marks: ['*.flagVersion *.value', '*.trackEvents *.value !*.flagVersion !*.variationType'],
    advice: ONE_USER,
  },
  { title: 'GO Feature Flag’s evaluations', marks: ['*.trackEvents *.variationType !*.variations'], advice: ONE_USER },
  { title: 'Unleash’s frontend API', marks: ['toggles.*.enabled'], advice: ONE_USER },
  {
    title: 'Flagsmith’s client SDKs',
    marks: ['*.feature_state_value', 'flags.*.feature_state_value'],
    advice: ONE_USER,
  },
  { title: 'an OFREP response', marks: ['flags.*.reason flags.*.key'], advice: ONE_USER },
  {
    title: 'an OpenFeature manifest',
    marks: ['flags.*.flagType flags.*.defaultValue'],
    advice: 'It has no rules. Import one of the files in docs/import.md',
  },
];
