import { FlagdCore, MemoryStorage } from '@openfeature/flagd-core';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** flagd's own evaluator with a file. @throws if flagd's schema refuses the file */
export function flagdWith(file: object): FlagdCore {
  const storage = new MemoryStorage(silent);
  storage.setConfigurations(JSON.stringify(file), true);
  return new FlagdCore(storage, silent);
}
