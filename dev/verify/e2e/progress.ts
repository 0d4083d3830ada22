import type { Report } from '../../support/tools/python.ts';

/** Reports on stderr, each line with the seconds since the first. */
export function progress(write: Report = (line) => process.stderr.write(`${line}\n`)): Report {
  const start = performance.now();
  return (line) => write(`e2e ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${line}`);
}
