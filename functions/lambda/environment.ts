import { createDynamoDb, type Tables } from '../../shared/store/table.ts';

/** A setting of the process. @throws {Error} naming the environment variable when it is missing */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set; the stack sets it on every function`);
  return value;
}

/**
 * The tables that the stack names in the environment. A function that has no business with one of them is not told its
 * name, and fails clearly should it try.
 */
export function tablesFromEnv(): Tables {
  return {
    client: createDynamoDb(),
    get flags() {
      return requireEnv('FLAGS_TABLE');
    },
    get connections() {
      return requireEnv('CONNECTIONS_TABLE');
    },
  };
}
