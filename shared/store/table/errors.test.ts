import { expect, test } from '@jest/globals';
import { Conflict, DocumentTooLarge, NotFound, StoreError, Throttled } from './errors.ts';

test.each([StoreError, NotFound, Conflict, Throttled, DocumentTooLarge])(
  '%p is told apart by its name, in logs too',
  (Kind) => {
    const error = new Kind('what happened');
    expect(error).toBeInstanceOf(StoreError);
    expect(String(error)).toBe(`${Kind.name}: what happened`);
  },
);
