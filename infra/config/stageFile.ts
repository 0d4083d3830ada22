import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText, NotText } from '../../shared/command/decodeText.ts';
import { type Config, parseSettings } from './config.ts';
import { ArgumentError, ConfigError } from './configError.ts';
import { correctedRegion } from './correctedRegion.ts';
import { explainUnknownKey } from './explain.ts';
import { listSettings } from './settingsList.ts';
import { settingsSchema } from './settingsSchema.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** The file with the settings of a stage. */
export class StageFile {
  readonly stage: string;
  readonly name: string;
  readonly #path: string;
  /** The content, with settings that are not saved. */
  #changed: JsonObject | undefined;

  /**
   * @param stage name of the deployment
   * @param directory folder of the file; by default, the folder of package.json
   * @throws ArgumentError for an invalid stage name
   */
  constructor(stage: string, directory: string = process.cwd()) {
    asArgument(() => parseSettings({ stage }));
    this.stage = stage;
    this.name = `flagwire.${stage}.json`;
    this.#path = join(directory, this.name);
  }

  /** The source of the settings, in words. */
  get sources(): string {
    if (this.#text() === undefined) return `defaults only: ${this.name} does not exist`;
    return `${this.name}, and defaults for the rest`;
  }

  /** The file's settings with the changes of {@link set}, and the stage. If there is no file, only the stage. @throws ConfigError */
  read(): JsonObject {
    return { ...this.#content(), stage: this.stage };
  }

  /**
   * The complete configuration.
   *
   * @param more other settings by key, such as `throttlingRate` or `host.availabilityZone`
   * @throws ConfigError naming file, key and value
   */
  config(more: JsonObject = {}): Config {
    const settings = structuredClone(this.read()) as Record<string, unknown>;
    for (const [key, value] of Object.entries(more)) setAt(settings, key, value);
    return this.#named(() => parseSettings(settings));
  }

  /**
   * Sets settings, each as `key=value`. An empty value removes the setting. {@link save} writes them.
   *
   * @throws ArgumentError naming key and value; ConfigError if the file has a wrong setting
   */
  set(assignments: readonly string[]): void {
    const content = structuredClone(this.#content()) as Record<string, unknown>;
    const areValid = assignments.map((assignment) => assign(content, assignment)).every(Boolean);
    this.#changed = content;
    const { region } = areValid ? this.config() : asArgument(() => this.config());
    if (region !== undefined && assignments.includes(`region=${region}`)) this.#checkRegion(region);
  }

  /** Writes the changes of {@link set}. */
  save(): void {
    if (this.#changed) writeFileSync(this.#path, `${JSON.stringify(this.#changed, null, 2)}\n`);
    this.#changed = undefined;
  }

  /** The file may name any region, because CDK may not know a new one. */
  #checkRegion(region: string): void {
    const corrected = correctedRegion(region);
    if (corrected === undefined) return;
    throw new ArgumentError(
      `--set region=${region}: unknown region. Did you mean ${corrected}? If the region is new, write it into ${this.name}.`,
    );
  }

  #content(): JsonObject {
    if (this.#changed) return this.#changed;
    const text = this.#text();
    const content = text === undefined ? {} : this.#named(() => parseJson(text));
    if ('stage' in content) throw new ConfigError(`${this.name}: remove stage: the file name already says it.`);
    return content;
  }

  #text(): string | undefined {
    try {
      return decodeText(readFileSync(this.#path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error instanceof NotText ? new ConfigError(`${this.name}: ${error.message}.`) : error;
    }
  }

  #named<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const source = this.#changed ? `${this.name} with --set` : this.name;
      throw new ConfigError(error.message.replaceAll(/^/gm, `${source}: `));
    }
  }
}

function parseJson(text: string): JsonObject {
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    throw new ConfigError(`not JSON: ${(error as Error).message}.`);
  }
  throw new ConfigError('not a JSON object.');
}

/** @returns whether its setting accepts the value */
function assign(content: Record<string, unknown>, assignment: string): boolean {
  const at = assignment.indexOf('=');
  if (at < 1) throw new ArgumentError(`--set ${assignment} has no value: write --set key=value.`);
  const [key, text] = [assignment.slice(0, at), assignment.slice(at + 1)];
  if (key === 'stage') throw new ArgumentError('--set stage cannot be used: write npm run deploy -- <stage>.');
  if (!isSetting(key)) throw new ArgumentError(`--set ${assignment}: ${explainUnknownKey(key)}`);
  const value = text === '' ? undefined : readValue(key, text);
  setAt(content, key, value);
  return value === undefined || fits(key, value);
}

/** Sets a setting such as `fargate.count`, also in a group that is `true`. Undefined removes it. */
function setAt(settings: Record<string, unknown>, key: string, value: unknown): void {
  const names = key.split('.');
  const last = names.pop() as string;
  let group = settings;
  for (const name of names) {
    const inner = group[name];
    if (typeof inner !== 'object' || inner === null) group[name] = {};
    group = group[name] as Record<string, unknown>;
  }
  if (value === undefined) delete group[last];
  else group[last] = value;
}

/** Runs a check of an argument. @throws ArgumentError instead of ConfigError */
function asArgument<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof ConfigError ? new ArgumentError(error.message) : error;
  }
}

/** A setting, or an entry of one with free names, such as tags. */
function isSetting(key: string): boolean {
  return listSettings().some((setting) => setting.key === key || (setting.key === 'tags' && key.startsWith('tags.')));
}

/** The first interpretation of a text that its setting accepts: text, JSON, or a list separated by commas. */
function readValue(key: string, text: string): unknown {
  const readings = [text, jsonIn(text), text.split(',')].filter((each) => each !== undefined);
  return readings.find((value) => fits(key, value)) ?? text;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value alone is valid, without regard to the rest of its group. */
function fits(key: string, value: unknown): boolean {
  const settings = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  const issues = settingsSchema.safeParse(settings).error?.issues ?? [];
  return !issues.some(({ path }) => `${path.join('.')}.`.startsWith(`${key}.`));
}
