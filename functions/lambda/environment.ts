/** A setting of the process. @throws {Error} naming the environment variable when it is missing */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set; the stack sets it on every function`);
  return value;
}
