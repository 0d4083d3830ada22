import { join } from 'node:path';
import { rustProgram } from '../../../support/tools/rust.ts';
import type { Workspace } from '../workspace.ts';
import { DrivenSdk, type SdkState } from './drivenSdk.ts';
import { LineProcess } from './lineProcess.ts';

/**
 * Starts FeatBit's Rust server SDK, as crates.io has it; it is built on first use.
 *
 * @throws {RustError} when it cannot be built
 */
export async function startRustSdk({ target, serverKey }: Pick<Workspace, 'target' | 'serverKey'>): Promise<DrivenSdk> {
  const program = await rustProgram(join(import.meta.dirname, 'rust'), (line) =>
    process.stderr.write(`conformance: ${line}\n`),
  );
  const parameters = [target.streamingUrl, target.httpUrl, serverKey];
  return new DrivenSdk(new LineProcess<SdkState>('FeatBit’s Rust SDK', program, parameters));
}
