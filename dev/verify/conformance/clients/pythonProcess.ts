import { join } from 'node:path';
import { PythonError, pythonEnvironment } from '../../../support/tools/python.ts';
import { LineProcess } from './lineProcess.ts';
import { startOptional } from './optionalProcess.ts';

const directory = join(import.meta.dirname, 'python');

/** A program in the folder `python`, and what it runs with. */
interface PythonProgram {
  /** What it is, for messages. */
  readonly name: string;
  /** The list of what it needs, as a file of that folder. */
  readonly requirements: string;
  readonly script: string;
  readonly parameters: readonly string[];
}

/**
 * Starts a Python program; what it needs is installed on first use.
 *
 * @returns undefined when that cannot be installed, which is told with what to do about it
 * @throws {PythonError} where CI is set: there it is required
 */
export async function startPython<SdkState>(program: PythonProgram): Promise<LineProcess<SdkState> | undefined> {
  const { name, script, parameters } = program;
  return startOptional(PythonError, async (say) => {
    const commands = await pythonEnvironment({ name, requirements: join(directory, program.requirements) }, say);
    return new LineProcess<SdkState>(name, join(commands, 'python'), [join(directory, script), ...parameters]);
  });
}
