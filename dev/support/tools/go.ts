import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cacheDirectory, keptDirectory } from '../../../infra/cacheDirectory.ts';
import type { Requirement } from '../requirement.ts';
import type { Report } from './python.ts';
import { runTool } from './runTool.ts';

/** Its modules have a few megabytes. */
const DOWNLOAD_TIMEOUT_MS = 60_000;

/** Options of a build. */
interface GoBuild {
  readonly go?: string;
  /** A directory with a folder for each version of a program. */
  readonly cache?: string;
}

/**
 * A Go program, built on first use in `node_modules/.cache`, and kept there for as long as its source and its modules stay what
 * they are.
 *
 * @param directory where its `main.go`, `go.mod` and `go.sum` are
 * @returns the path of the program
 * @throws {Error} when there is no Go, or it cannot build the program
 */
export async function goProgram(
  directory: string,
  report: Report,
  { go = 'go', cache = cacheDirectory }: GoBuild = {},
): Promise<string> {
  await callGo(go, ['version'], directory);
  const sources = ['main.go', 'go.mod', 'go.sum'].map((name) => join(directory, name));
  const make = async (made: string) => {
    report(`building ${directory} by Go, in ${made} (once)`);
    mkdirSync(made);
    await callGo(go, ['mod', 'download'], directory, DOWNLOAD_TIMEOUT_MS);
    // The state of the repository is no part of the program.
    await callGo(go, ['build', '-buildvcs=false', '-o', join(made, 'program'), '.'], directory);
  };
  return join(await keptDirectory('go', sources, make, cache), 'program');
}

/** A Go program of one `main.go`, with FeatBit's SDK of a clone. @throws {Error} as {@link goProgram} */
export async function goProgramWith(
  directory: string,
  clone: string,
  { go = 'go', cache = cacheDirectory }: GoBuild = {},
): Promise<string> {
  const sources = [join(directory, 'main.go'), join(clone, 'evaluation_functions.go')];
  const make = async (made: string) => {
    mkdirSync(made, { recursive: true });
    const sdk = 'github.com/featbit/featbit-go-sdk';
    copyFileSync(join(directory, 'main.go'), join(made, 'main.go'));
    writeFileSync(
      join(made, 'go.mod'),
      `module conditions\ngo 1.26\nrequire ${sdk} v0.0.0\nreplace ${sdk} => ${resolve(clone)}\n`,
    );
    await callGo(go, ['mod', 'tidy'], made, DOWNLOAD_TIMEOUT_MS);
    await callGo(go, ['build', '-buildvcs=false', '-o', 'program', '.'], made);
  };
  return join(await keptDirectory('goSdk', sources, make, cache), 'program');
}

/** Tests that need a Go program. */
export function goTool(directory: string): Requirement {
  return { name: 'go', find: () => goProgram(directory, (line) => process.stderr.write(`${line}\n`)) };
}

/** @throws Error when there is no Go, or it fails */
async function callGo(go: string, args: readonly string[], cwd: string, timeout = 0): Promise<void> {
  const missing = `there is no ${go} on the path: install Go 1.26 or newer (https://go.dev/dl)`;
  const failed = 'Go could not build; check that it reaches its module proxy, and that it is 1.26 or newer.';
  await runTool(go, args, { missing, failed }, { cwd, timeout });
}
