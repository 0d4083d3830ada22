import { heapStats } from 'bun:jsc';

/*
 * Loaded by the host before its own code, for `soak`: asked over its IPC channel, it collects all garbage, and tells how many bytes
 * of heap are left.
 */
process.on('message', () => {
  Bun.gc(true);
  process.send?.({ heapBytes: heapStats().heapSize });
});
