/** What somebody wrote cannot be read, or cannot be done; the message says why, and what would work. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
}
