/** Settings that cannot be used. The message has one line for each problem, for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
