import { jest } from '@jest/globals';

/** The output of a test's code, including log lines. */
export interface CapturedOutput {
  text(): string;
  /** The log's lines, each an object. */
  lines(): { readonly message: string; readonly level: string; readonly [field: string]: unknown }[];
  /** The metrics for CloudWatch, event by event: values by name. */
  metrics(): readonly Readonly<Record<string, number>>[];
  clear(): void;
  release(): void;
}

/** Captures all output until it is released. */
export function captureOutput(): CapturedOutput {
  let written = '';
  const keep = (chunk: unknown) => {
    written += String(chunk);
    return true;
  };
  const spies = [
    jest.spyOn(process.stdout, 'write').mockImplementation(keep as typeof process.stdout.write),
    jest.spyOn(process.stderr, 'write').mockImplementation(keep as typeof process.stderr.write),
    ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((method) =>
      jest.spyOn(console, method).mockImplementation((...values) => {
        keep(`${values.map(String).join(' ')}\n`);
      }),
    ),
  ];
  return {
    text: () => written,
    lines: () =>
      written
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    metrics: () =>
      written
        .split('\n')
        .filter((line) => line.startsWith('{"_aws"'))
        .map((line) => {
          const { _aws, Stage, ...values } = JSON.parse(line);
          return values;
        }),
    clear: () => {
      written = '';
    },
    release: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}
