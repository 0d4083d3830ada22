import { join } from 'node:path';
import { pythonEnvironment, pythonTools } from '../../../support/tools/python.ts';
import { LineProcess } from './lineProcess.ts';

const directory = join(import.meta.dirname, 'python');

/** FeatBit’s SDK: the last release that keeps one version of all it has, and the newest, which keeps one for each item. */
export const SDK_RELEASES = ['1.1.7', '1.2.1'];

const toolOf = (requirements: string) => ({ name: requirements, requirements: join(directory, requirements) });

/** What {@link startPython} needs: Python with all packages of the folder `python`. */
export const python = pythonTools(
  ...['openfeature', ...SDK_RELEASES.map((release) => `sdk-${release}`)].map((name) => toolOf(`${name}.txt`)),
);

/** A program in the folder `python`, and what it runs with. */
interface PythonProgram {
  /** What it is, for messages. */
  readonly name: string;
  /** The list of what it needs, as a file of that folder. */
  readonly requirements: string;
  readonly script: string;
  readonly parameters: readonly string[];
}

/** Starts a Python program. @throws {PythonError} when the packages that it needs cannot be installed */
export async function startPython<SdkState>(program: PythonProgram): Promise<LineProcess<SdkState>> {
  const { name, requirements, script, parameters } = program;
  const commands = await pythonEnvironment(toolOf(requirements), (line) => process.stderr.write(`${line}\n`));
  return new LineProcess<SdkState>(name, join(commands, 'python'), [join(directory, script), ...parameters]);
}
