import { join } from 'node:path';
import { pythonEnvironment, pythonTools } from '../../../support/tools/python.ts';
import type { Workspace } from '../workspace.ts';
import { DrivenSdk } from './lineProcess.ts';

const directory = join(import.meta.dirname, 'python');

/** FeatBit’s SDK: the last release with one version for all items, and the newest, with a version for each item. */
const SDK_RELEASES = ['1.1.7', '1.2.1'];

const toolOf = (requirements: string) => ({ name: requirements, requirements: join(directory, requirements) });

/** Python with all packages of the folder `python`. */
export const python = pythonTools(
  ...['openfeature', ...SDK_RELEASES.map((release) => `sdk-${release}`)].map((name) => toolOf(`${name}.txt`)),
);

/**
 * The program and first argument that run a script of the folder `python`.
 *
 * @param requirements file with the packages of the script
 * @throws {Error} when the packages cannot be installed
 */
export async function pythonScript(requirements: string, script: string): Promise<[program: string, script: string]> {
  const commands = await pythonEnvironment(toolOf(requirements), (line) => process.stderr.write(`${line}\n`));
  return [join(commands, 'python'), join(directory, script)];
}

/** Starts FeatBit's Python server SDK in its releases. */
export async function startPythonSdks({ target, serverKey }: Workspace): Promise<DrivenSdk[]> {
  const sdks = [];
  for (const release of SDK_RELEASES) {
    const [program, script] = await pythonScript(`sdk-${release}.txt`, 'sdk.py');
    const parameters = [script, target.streamingUrl, target.httpUrl, serverKey];
    sdks.push(new DrivenSdk(`FeatBit’s Python SDK ${release}`, program, parameters));
  }
  return sdks;
}
