import type { Config } from '../config/config.ts';
import { deployerPolicy } from './deployerPolicy.ts';
import { executionPolicies } from './executionPolicy.ts';

/** Names that {@link printDocument} takes. */
export const DOCUMENT_NAMES = ['execution-policy', 'deployer-policy'] as const;

/** A policy as JSON, or policies as JSON one per line, because IAM limits the length of each. */
export async function printDocument(name: (typeof DOCUMENT_NAMES)[number], config: Config): Promise<string> {
  if (name === 'deployer-policy') return JSON.stringify(deployerPolicy(config), null, 2);
  // Imported on demand, because the CDK takes a second to load.
  const { synthesizeTemplates } = await import('../inProcess.ts');
  // The settings that preflight may decide.
  const logs = config.streamingAccessLogs === 'off' ? 'off' : 'create-role';
  const policies = executionPolicies(synthesizeTemplates({ ...config, streamingAccessLogs: logs }), config);
  return policies.map((policy) => JSON.stringify(policy)).join('\n');
}
