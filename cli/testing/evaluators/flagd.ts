import { FlagdCore, MemoryStorage } from '@openfeature/flagd-core';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** flagd's own evaluator with a file. @throws for a file that flagd's schema does not take */
export function flagdWith(file: object): FlagdCore {
  const storage = new MemoryStorage(silent);
  storage.setConfigurations(JSON.stringify(file), true);
  return new FlagdCore(storage, silent);
}
