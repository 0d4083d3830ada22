import type { Config } from '../config/config.ts';
import { deployerPolicy } from './deployerPolicy.ts';
import { executionPolicies } from './executionPolicy.ts';
import { githubTrust, githubWorkflow, REPOSITORY_HINTS } from './github.ts';

/** The documents to print, by their names on the command line. */
const DOCUMENTS: Readonly<Record<string, (config: Config) => object | string | Promise<object>>> = {
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
  'github-trust': (config) => githubTrust(config, process.env),
  'github-workflow': githubWorkflow,
};

/** Names that {@link printDocument} takes. */
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS);

/** Placeholders of documents, each with its source. @param file name of the settings file */
const PLACEHOLDERS: Readonly<Record<string, (file: string) => string>> = {
  '<account>': (file) => `Add --set account=<12 digits>, or set account in ${file}.`,
  '<region>': (file) => `Add --set region=<region>, or set region in ${file}.`,
  ...Object.fromEntries(Object.entries(REPOSITORY_HINTS).map(([placeholder, hint]) => [placeholder, () => hint])),
};

/** The facts that a printed document lacks, one line each. @param file name of the settings file */
export function placeholderHints(document: string, file: string): string[] {
  return Object.entries(PLACEHOLDERS).flatMap(([placeholder, wayOut]) =>
    document.includes(placeholder) ? [`The document contains ${placeholder}. ${wayOut(file)}`] : [],
  );
}

/** A policy as JSON, policies as JSON one per line, or a workflow as YAML. @param name one of {@link DOCUMENT_NAMES} */
export async function printDocument(name: string, config: Config): Promise<string> {
  const document = (await DOCUMENTS[name]?.(config)) ?? '';
  return typeof document === 'string' ? document.trimEnd() : JSON.stringify(document, null, 2);
}
