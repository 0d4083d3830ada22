import type { Workspace } from '../workspace.ts';
import { DrivenSdk, type SdkState } from './drivenSdk.ts';
import { SDK_RELEASES, startPython } from './pythonProcess.ts';

/** Starts FeatBit's Python server SDK in its releases. */
export async function startPythonSdks({ target, serverKey }: Workspace): Promise<DrivenSdk[]> {
  const sdks = [];
  for (const release of SDK_RELEASES) {
    const process = await startPython<SdkState>({
      name: `FeatBit’s Python SDK ${release}`,
      requirements: `sdk-${release}.txt`,
      script: 'sdk.py',
      parameters: [target.streamingUrl, target.httpUrl, serverKey],
    });
    sdks.push(new DrivenSdk(process));
  }
  return sdks;
}
