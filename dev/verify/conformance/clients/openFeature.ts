import { join } from 'node:path';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { type Client as ServerClient, OpenFeature as ServerSdk } from '@openfeature/server-sdk';
import { type EvaluationContext, type Provider, ProviderEvents, OpenFeature as WebSdk } from '@openfeature/web-sdk';
import { FlagwireProvider } from '../../../../provider/provider.ts';
import { goProgram, goTool } from '../../../support/tools/go.ts';
import type { Workspace } from '../workspace.ts';
import { LineProcess } from './lineProcess.ts';
import { pythonScript } from './pythonProcess.ts';

/** OpenFeature's server SDK over its OFREP provider, which asks for each flag when it is wanted. */
export async function openFeatureServer({ target, serverKey, envId }: Workspace): Promise<ServerClient> {
  const baseUrl = target.httpUrl;
  const headers = [['Authorization', `Bearer ${serverKey}`]] as [string, string][];
  await ServerSdk.setProviderAndWait(envId, new OFREPProvider({ baseUrl, headers }));
  return ServerSdk.getClient(envId);
}

/** OpenFeature's server SDK over Flagwire's provider, which reads the table and evaluates in this process. */
export async function openFeatureTable({ target, envId }: Workspace): Promise<ServerClient> {
  // Outside Lambda it then asks for the version at each evaluation. A busy machine is slow to answer.
  const options = { table: target.tables.flags, environment: envId, consistent: true, waitMs: 20_000 };
  const provider = new FlagwireProvider(options);
  const domain = `${envId} by table`;
  await ServerSdk.setProviderAndWait(domain, provider);
  return ServerSdk.getClient(domain);
}

/**
 * Starts OpenFeature's web SDK over its OFREP provider, which polls all flags of one context, and waits until it has flags.
 *
 * @param pollInterval milliseconds; with 0 it learns of changes from event streams only
 * @returns its client, the statuses of all answers, the keys of flags that it reported as changed, and a function that sets another
 *   context
 * @throws when it was refused
 */
export async function startOpenFeatureWeb(
  { target, envId }: Workspace,
  key: string,
  context: EvaluationContext,
  pollInterval = 200,
) {
  const statuses: number[] = [];
  const changed: string[] = [];
  const provider = new OFREPWebProvider({
    baseUrl: target.httpUrl,
    headers: [['X-API-Key', key]],
    pollInterval,
    cacheMode: 'disabled',
    fetchImplementation: async (...request: Parameters<typeof fetch>) => {
      const response = await fetch(...request);
      statuses.push(response.status);
      return response;
    },
  });
  const setContext = (next: EvaluationContext) => WebSdk.setContext(envId, next);
  await setContext(context);
  await WebSdk.setProviderAndWait(envId, provider as Provider);
  const client = WebSdk.getClient(envId);
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
    changed.push(...(details?.flagsChanged ?? []));
  });
  return { client, statuses, changed, setContext };
}

/** Closes all clients of OpenFeature's web SDK. */
export const closeOpenFeatureWeb = () => WebSdk.close();

/** The types of flags that providers distinguish. */
export type ValueType = 'boolean' | 'string' | 'integer' | 'float' | 'object';

/** An evaluation as the SDK of a provider describes it. */
export interface ProviderDetails {
  readonly value: unknown;
  readonly variant: string | null;
  readonly reason: string | null;
}

/** OpenFeature's Python SDK over its OFREP provider, as published on PyPI. */
export async function openFeaturePython({ target, clientKey }: Workspace): Promise<LineProcess<ProviderDetails>> {
  const [program, script] = await pythonScript('openfeature.txt', 'openfeature_client.py');
  return new LineProcess('OpenFeature’s OFREP provider for Python', program, [script, target.httpUrl, clientKey]);
}

const GO_DIRECTORY = join(import.meta.dirname, 'go');

/** Requirements of {@link openFeatureGo}. */
export const go = goTool(GO_DIRECTORY);

/** OpenFeature's Go SDK over its OFREP provider, as Go's module proxy has it. */
export async function openFeatureGo({ target, clientKey }: Workspace): Promise<LineProcess<ProviderDetails>> {
  const program = await goProgram(GO_DIRECTORY, (line) => process.stderr.write(`${line}\n`));
  return new LineProcess('OpenFeature’s OFREP provider for Go', program, [target.httpUrl, clientKey]);
}
