/** Input that is invalid or not possible. The message says why, and what would be valid. */
export class InvalidInput extends Error {
  override name = 'InvalidInput';
}

/** Text that no flag or segment could make valid. */
export class InvalidSyntax extends InvalidInput {
  override name = 'InvalidSyntax';
}
