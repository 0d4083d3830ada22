import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalStack } from '../../dev/emulator/emulator.ts';
import type { Template } from '../../infra/inProcess.ts';

/** The stacks in the emulator, with FeatBit's benchmark environment. */
interface BenchStack {
  readonly stack: LocalStack;
  readonly templates: Readonly<Record<string, Template>>;
  readonly clientKey: string;
}

/** Starts the stacks in the emulator in this process, calls `use`, and stops them. */
export async function withStack(use: (stack: BenchStack) => Promise<void>): Promise<void> {
  // Loaded on demand, so that --help and errors are fast.
  const { synthesizeTemplates } = await import('../../infra/inProcess.ts');
  const { startLocal } = await import('../../dev/emulator/emulator.ts');
  const { seedExamples } = await import('../../dev/local/seed.ts');
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-bench-'));
  const templates = synthesizeTemplates();
  const stack = await startLocal({ templates, dataDir: folder });
  try {
    const { keys } = await seedExamples(stack, folder, 'benchmark');
    await use({ stack, templates, clientKey: keys.client });
  } finally {
    await stack.close();
    rmSync(folder, { recursive: true });
  }
}
