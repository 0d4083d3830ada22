/** A store operation that did not do what was asked; the message says what to do about it. */
export class StoreError extends Error {
  override name = 'StoreError';
}

/** Something was named that is not there. */
export class NotFound extends StoreError {
  override name = 'NotFound';
}

/** Something to be made is there already, or others kept writing until the time for retries ended. */
export class Conflict extends StoreError {
  override name = 'Conflict';
}

/** The table had no capacity left until the time for retries ended. */
export class Throttled extends StoreError {
  override name = 'Throttled';
}

/** A document that does not fit an item of the table. */
export class DocumentTooLarge extends StoreError {
  override name = 'DocumentTooLarge';
}
