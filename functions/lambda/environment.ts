/** A setting from the environment. @throws {Error} with the name of the variable if it is missing */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set; the stack sets it on every function`);
  return value;
}

/** A setting that is a number above 0. @throws {Error} with the name of the variable if it is not */
export function requireNumber(name: string): number {
  const text = requireEnv(name);
  const value = Number(text);
  if (!(value > 0)) throw new Error(`the environment variable ${name} is "${text}", not a number above 0`);
  return value;
}
