import {
  ErrorCode,
  type EvaluationContext,
  type FlagValue,
  type JsonValue,
  type Logger,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  ProviderFatalError,
  type ResolutionDetails,
} from '@openfeature/server-sdk';
import type { CompiledFlag } from '../shared/evaluation/flag.ts';
import { EngineMissing } from '../shared/evaluation/operators.ts';
import { systemEffects } from '../shared/runtime/effects.ts';
import { DirectTable } from '../shared/store/table/directTable.ts';
import { NO_VARIATION } from '../shared/store/usage/usage.ts';
import { credentialsFrom } from './credentials.ts';
import { FlagwireEnvironment } from './environment.ts';
import type { FlagwireProviderOptions } from './options.ts';
import { failed, notFound, readUser, resolve } from './resolution.ts';
import { readSettings, type Settings, type TableSettings } from './settings.ts';
import { ProviderUsage } from './usage.ts';

/** Timeout of a response, in milliseconds. A read is sent twice at most, so it ends within the time of a start. */
const REQUEST_TIMEOUT_MS = 1_400;

/** Maximum number of different lines that are remembered, and logged once each. */
const LINES = 1_000;

/** What an evaluation needs, once the settings are valid. */
interface Opened {
  readonly settings: Settings;
  readonly environment: FlagwireEnvironment;
  readonly usage: ProviderUsage | undefined;
}

/**
 * An OpenFeature provider that reads one environment of a Flagwire service from its flags table, by IAM, and evaluates its flags in
 * this process. Options and environment variables are read when it is created. What is wrong with them is the error of `initialize`.
 */
export class FlagwireProvider implements Provider {
  readonly metadata = { name: 'flagwire' } as const;
  readonly runsOn = 'server';
  readonly events = new OpenFeatureEventEmitter();
  readonly #logger: Logger;
  readonly #logged = new Set<string>();
  readonly #env: NodeJS.ProcessEnv;
  readonly #opened: Opened | ProviderFatalError;
  #invocation: string | undefined;

  constructor(options: FlagwireProviderOptions = {}) {
    this.#env = options.deps?.env ?? process.env;
    this.#logger = options.logger ?? console;
    this.#opened = this.#open(options);
  }

  /**
   * Reads the flags.
   *
   * @throws {ProviderFatalError} for a missing or invalid option
   * @throws {Error} if the flags cannot be read, after 3 seconds at most. Evaluations try again
   */
  async initialize(): Promise<void> {
    if (this.#opened instanceof ProviderFatalError) throw this.#opened;
    await this.#opened.environment.start();
  }

  resolveBooleanEvaluation(key: string, defaultValue: boolean, context: EvaluationContext) {
    return this.#evaluate(key, defaultValue, context);
  }

  resolveStringEvaluation(key: string, defaultValue: string, context: EvaluationContext) {
    return this.#evaluate(key, defaultValue, context);
  }

  resolveNumberEvaluation(key: string, defaultValue: number, context: EvaluationContext) {
    return this.#evaluate(key, defaultValue, context);
  }

  resolveObjectEvaluation<T extends JsonValue>(key: string, defaultValue: T, context: EvaluationContext) {
    return this.#evaluate(key, defaultValue, context);
  }

  /** Does nothing: Flagwire takes events of metrics from FeatBit's SDKs only. */
  track(): void {
    this.#warnOnce('track() does nothing: the provider sends no events');
  }

  /** Writes counts that are in memory. */
  async onClose(): Promise<void> {
    if (!(this.#opened instanceof ProviderFatalError)) await this.#opened.usage?.flush();
  }

  #open(options: FlagwireProviderOptions): Opened | ProviderFatalError {
    const { effects = systemEffects, client } = options.deps ?? {};
    let settings: Settings;
    try {
      settings = readSettings(options, this.#env);
    } catch (error) {
      return error as ProviderFatalError;
    }
    const keys = credentialsFrom(this.#env, effects);
    const open = ({ id, name, region, endpoint }: TableSettings) => {
      const target = { service: 'dynamodb', endpoint, region, keys, idleSockets: 1 };
      return { client: client ?? new DirectTable(id, target, REQUEST_TIMEOUT_MS, effects), name, effects };
    };
    const report = (line: string) => this.#warnOnce(line);
    const usage = settings.usageTable
      ? new ProviderUsage(open(settings.usageTable), settings.envId, report)
      : undefined;
    const environment = new FlagwireEnvironment({
      table: open(settings.table),
      settings,
      effects,
      alongside: async () => usage?.flushIfDue(),
      report,
      onStale: ({ message }) => {
        this.#warn(`the flags table cannot be read, so flags stay as they were: ${message}`);
        this.events.emit(ProviderEvents.Stale, { message });
      },
      onReady: () => {
        this.#warn('the flags table can be read again');
        this.events.emit(ProviderEvents.Ready);
      },
      onChange: (flagsChanged) =>
        this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...flagsChanged] }),
    });
    return { settings, environment, usage };
  }

  async #evaluate<T extends FlagValue>(
    key: string,
    defaultValue: T,
    context: EvaluationContext,
  ): Promise<ResolutionDetails<T>> {
    const opened = this.#opened;
    if (opened instanceof ProviderFatalError) {
      return failed(defaultValue, { errorCode: ErrorCode.PROVIDER_FATAL, errorDetails: opened.message });
    }
    const { environment, settings, usage } = opened;
    const { freshness } = environment;
    if (settings.isConsistent && this.#isNewInvocation()) freshness.expire();
    const isFresh = freshness.isFresh || (await freshness.refresh()) || freshness.isFresh;
    const { flags } = environment;
    if (!flags) {
      const errorDetails = `the flags were not read: ${freshness.failure?.error.message ?? 'the flags table does not answer'}`;
      return failed(defaultValue, { errorCode: ErrorCode.PROVIDER_NOT_READY, errorDetails });
    }
    let flag: CompiledFlag | undefined;
    try {
      flag = flags.get(key);
    } catch (error) {
      if (!(error instanceof EngineMissing)) throw error;
      flag = await environment.findWithEngine(key);
    }
    const details = this.#resolve(flag, key, defaultValue, context);
    const isEvaluated = isCounted(details);
    // A flag that cannot be read has a line of its own.
    if (isEvaluated && (flag || !flags.has(key))) this.#warnOfDefault(key, details);
    if (usage && isEvaluated) usage.count(flags, key, details.variant ?? NO_VARIATION);
    return isFresh ? details : { ...details, flagMetadata: { ...details.flagMetadata, stale: true } };
  }

  #resolve<T extends FlagValue>(
    flag: CompiledFlag | undefined,
    key: string,
    defaultValue: T,
    context: EvaluationContext,
  ): ResolutionDetails<T> {
    const user = readUser(context);
    if ('errorCode' in user) return failed(defaultValue, user);
    const onRounded = (exact: string) =>
      this.#warnOnce(
        `rounded ${key}`,
        `flag "${key}" has numbers with more digits than JavaScript's: ${exact.slice(0, 80)}; see flagMetadata.exactValue`,
      );
    return flag ? resolve(flag, user, defaultValue, onRounded) : notFound(key, defaultValue);
  }

  #warnOfDefault(key: string, { errorCode, errorMessage = '' }: ResolutionDetails<unknown>): void {
    if (errorCode) this.#warnOnce(`${errorCode} ${key}`, `${errorMessage}; the default in the code is used`);
  }

  /** Logs a line, unless one with its subject was logged, or the limit is reached. */
  #warnOnce(subject: string, line: string = subject): void {
    if (this.#logged.size >= LINES || this.#logged.has(subject)) return;
    this.#logged.add(subject);
    this.#warn(line);
  }

  #warn(line: string): void {
    this.#logger.warn(`flagwire: ${line}`);
  }

  /** Whether this evaluation must not use what earlier invocations have read. */
  #isNewInvocation(): boolean {
    const { AWS_LAMBDA_FUNCTION_NAME: name, AWS_LAMBDA_MAX_CONCURRENCY: isShared, _X_AMZN_TRACE_ID: trace } = this.#env;
    // Invocations that run at the same time cannot be told apart, and outside Lambda there are none.
    const isKnown = name !== undefined && isShared === undefined && trace !== undefined && trace === this.#invocation;
    this.#invocation = trace;
    return !isKnown;
  }
}

/** As for OFREP: without the key, there was no evaluation. The context decides about these errors, which a caller may expect. */
function isCounted({ errorCode }: ResolutionDetails<unknown>): boolean {
  return errorCode !== ErrorCode.TARGETING_KEY_MISSING && errorCode !== ErrorCode.INVALID_CONTEXT;
}
