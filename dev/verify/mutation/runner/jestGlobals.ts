import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/* What test files import from `@jest/globals`, made of jest's own parts, for a process that jest did not start. */

export { jestExpect as expect } from '@jest/expect';
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

const mocks = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({
  global: globalThis,
  // It reads nothing else of a project's settings.
  config: { fakeTimers: {} } as ConstructorParameters<typeof ModernFakeTimers>[0]['config'],
});

/** As much of jest's object as tests use. */
export const jest = {
  spyOn: mocks.spyOn.bind(mocks),
  restoreAllMocks: mocks.restoreAllMocks.bind(mocks),
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  setSystemTime: timers.setSystemTime.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  advanceTimersByTimeAsync: timers.advanceTimersByTimeAsync.bind(timers),
  runAllTimersAsync: timers.runAllTimersAsync.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
  /** Nothing: one limit holds for all tests here. */
  setTimeout: () => undefined,
};
