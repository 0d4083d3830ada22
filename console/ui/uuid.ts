/** A random GUID. */
export function uuid(): string {
  return crypto.randomUUID();
}
