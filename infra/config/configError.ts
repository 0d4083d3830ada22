/** A context value that cannot be used; the message is one line, meant for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
