import { type Compared, compare } from './compare.ts';
import { runEmulator } from './run.ts';

/** Runs of a size, where other work held up those before. */
const ATTEMPTS = 3;

/** Runs the emulator at each size and simulates the same. @returns what was compared, and which runs say nothing, and why */
export async function compareAll(
  sizes: readonly number[],
  seed: number,
  say: (line: string) => void,
): Promise<{ compared: Compared[]; invalid: string[] }> {
  const compared: Compared[] = [];
  const invalid: string[] = [];
  for (const connections of sizes) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const measured = await runEmulator(connections, say);
      if (measured.invalid.length === 0 || attempt === ATTEMPTS) {
        compared.push(...compare(connections, measured, seed));
        invalid.push(...measured.invalid.map((why) => `${connections} connections: ${why}`));
        break;
      }
      say(`${measured.invalid.join('; ')}: once more`);
    }
  }
  return { compared, invalid };
}
