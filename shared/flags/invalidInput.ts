/** Input that is invalid or not possible. The message says why, and what would be valid. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
}
