import type { Workspace } from '../workspace.ts';
import { DrivenSdk, type SdkState } from './drivenSdk.ts';
import { startPython } from './pythonProcess.ts';

/** Releases that the suite runs: the last that keeps one version of all it has, and the newest, which keeps one for each item. */
const RELEASES = ['1.1.7', '1.2.1'];

/** Starts FeatBit's Python server SDK in its releases. @returns those that could be installed; where CI is set, all must be */
export async function startPythonSdks({ target, serverKey }: Workspace): Promise<DrivenSdk[]> {
  const processes = [];
  for (const release of RELEASES) {
    processes.push(
      await startPython<SdkState>({
        name: `FeatBit’s Python SDK ${release}`,
        requirements: `sdk-${release}.txt`,
        script: 'sdk.py',
        parameters: [target.streamingUrl, target.httpUrl, serverKey],
      }),
    );
  }
  return processes.filter((process) => process !== undefined).map((process) => new DrivenSdk(process));
}
