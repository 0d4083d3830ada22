import { importFromAppConfig } from './appconfig/import.ts';
import { importFromFlagd } from './flagd/import.ts';
import { importFromFlagsmith } from './flagsmith/import.ts';
import { importFromGoFeatureFlag } from './gofeatureflag/import.ts';
import { importFromLaunchDarkly } from './launchdarkly/import.ts';
import services from './services.json' with { type: 'json' };
import type { Translation } from './translation/translator.ts';
import { importFromUnleash } from './unleash/import.ts';

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
  readonly hasEnvironments?: boolean;
  /** The members of a file that the import reads, and those that hold no flags. */
  readonly members: readonly string[];
  /** True if it reads only the first document of a YAML file, with scalars as in {@link readFirstDocument}. */
  readonly readsFirstDocument?: boolean;
  /**
   * Parses a file. FeatBit's documents are stored unchanged.
   *
   * @param sourceEnv the environment to read, if the file has several
   * @param isYaml whether scalars are as in {@link readFirstDocument}
   * @throws {WrongForm} for another format
   */
  readonly read?: ((file: unknown, sourceEnv?: string, isYaml?: boolean) => Translation) | undefined;
}

const READERS: Readonly<Record<string, Service['read']>> = {
  appconfig: importFromAppConfig,
  flagd: importFromFlagd,
  flagsmith: importFromFlagsmith,
  gofeatureflag: (file, _, isYaml = false) => importFromGoFeatureFlag(file, { isYaml }),
  launchdarkly: importFromLaunchDarkly,
  unleash: importFromUnleash,
};

/** Services by their names for `--from`. */
export const SERVICES: Readonly<Record<string, Service>> = Object.fromEntries(
  Object.entries(services).map(([name, service]) => [name, { ...service, read: READERS[name] }]),
);
