/** A store operation that failed. The message says what to do. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** The named thing does not exist. */
export class NotFound extends StoreError {
  override name = 'NotFound';
}

/** The thing to create exists already, or other writers kept writing until the retries ended. */
export class Conflict extends StoreError {
  override name = 'Conflict';
}

/** A change that would leave a document that is not valid. Nothing was written. */
export class InvalidDocument extends StoreError {
  override name = 'InvalidDocument';
}

/** The table had no capacity until the retries ended. */
export class Throttled extends StoreError {
  override name = 'Throttled';
}

/** The document is too large for an item of the table. */
export class DocumentTooLarge extends StoreError {
  override name = 'DocumentTooLarge';
}

/** The stored form of a plan is damaged. No later attempt succeeds. */
export class UnreadablePlan extends StoreError {
  override name = 'UnreadablePlan';
}
