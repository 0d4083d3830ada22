/** Settings that cannot be used. The message has one line for each problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A stage or an assignment of the command line that no settings file could make valid. */
export class ArgumentError extends ConfigError {
  override name = 'ArgumentError';
}
