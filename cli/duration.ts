import { UsageError } from './io.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a duration into milliseconds. @throws {UsageError} if the text is not a duration */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d+)([smhd]?)$/.exec(text) ?? [];
  if (amount === undefined || (unit === '' && amount !== '0')) {
    throw new UsageError(`"${text}" is not a duration; write a number and s, m, h or d, such as 24h`);
  }
  return Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
}
