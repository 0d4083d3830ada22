import { join } from 'node:path';
import { cacheDirectory } from '../../../infra/cacheDirectory.ts';
import type { Report } from './python.ts';
import { runTool } from './runTool.ts';

/**
 * A Rust program, built where it is not yet, in `node_modules/.cache`, with the versions that its `Cargo.toml` names exactly.
 * Their own dependencies have the newest compatible versions: a lock file would name the address of a registry.
 *
 * @param directory where its `Cargo.toml` is; the program is named as the package
 * @returns the path of the program
 * @throws {Error} when there is no cargo, or it cannot build the program
 */
export async function rustProgram(directory: string, report: Report, cargo = 'cargo'): Promise<string> {
  const target = join(cacheDirectory, 'rust');
  const manifest = ['--manifest-path', join(directory, 'Cargo.toml')];
  report(`building ${directory} by cargo, in ${target}`);
  const options = ['--quiet', '--target-dir', target, '--message-format', 'json'];
  const built = await runTool(cargo, ['build', ...options, ...manifest], {
    missing: `There is no ${cargo} on the path: install Rust 1.95 or newer (https://rustup.rs) and run again.`,
    failed: 'cargo could not build; check that it reaches its registry, and that Rust is 1.95 or newer.',
  });
  const artifacts = built
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { executable?: string | null });
  const program = artifacts.findLast(({ executable }) => executable)?.executable;
  if (!program) throw new Error(`${directory} has no program: give it a src/main.rs.`);
  return program;
}
