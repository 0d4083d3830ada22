import { appendFile } from 'node:fs/promises';
import type { InsightSink } from '../http/insight.ts';

/** A sink into a file, one line of JSON a record; what is acknowledged has reached the disk. */
export function createInsightFile(path: string): InsightSink {
  return {
    async write(records) {
      const lines = records.map((record) => `${JSON.stringify(record)}\n`);
      await appendFile(path, lines.join(''), { mode: 0o600, flush: true });
    },
  };
}
