import type { Config } from '../config/config.ts';
import { deployerPolicy } from './deployerPolicy.ts';
import { executionPolicies } from './executionPolicy.ts';

/** The documents to print, by their names on the command line. */
const DOCUMENTS: Readonly<Record<string, (config: Config) => object | Promise<string>>> = {
  'execution-policy': async (config) => {
    // Imported on demand, because the CDK takes a second to load.
    const { synthesizeTemplates } = await import('../inProcess.ts');
    // The settings that preflight may decide.
    const logs = config.streamingAccessLogs === 'off' ? 'off' : 'create-role';
    const policies = executionPolicies(synthesizeTemplates({ ...config, streamingAccessLogs: logs }), config);
    // One in each line, because IAM limits the length of each.
    return policies.map((policy) => JSON.stringify(policy)).join('\n');
  },
  'deployer-policy': deployerPolicy,
};

/** Names that {@link printDocument} takes. */
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS);

/** A policy as JSON, or policies as JSON one per line. @param name one of {@link DOCUMENT_NAMES} */
export async function printDocument(name: string, config: Config): Promise<string> {
  const document = (await DOCUMENTS[name]?.(config)) ?? '';
  return typeof document === 'string' ? document : JSON.stringify(document, null, 2);
}
