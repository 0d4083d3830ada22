import { join } from 'node:path';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { type Client as ServerClient, OpenFeature as ServerSdk } from '@openfeature/server-sdk';
import {
  type EvaluationContext,
  type Provider,
  ProviderEvents,
  type Client as WebClient,
  OpenFeature as WebSdk,
} from '@openfeature/web-sdk';
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

/** OpenFeature's web SDK over its OFREP provider, which asks for all flags of one context, and again and again. */
export class OpenFeatureWeb {
  readonly client: WebClient;
  /** The statuses of all answers, in order. */
  readonly statuses: readonly number[];
  /** Keys of the flags that it reported as changed. */
  readonly changed: string[] = [];
  readonly #envId: string;

  private constructor(envId: string, statuses: readonly number[]) {
    this.#envId = envId;
    this.statuses = statuses;
    this.client = WebSdk.getClient(envId);
    this.client.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
      this.changed.push(...(details?.flagsChanged ?? []));
    });
  }

  /**
   * Starts it with a key and a context, and waits until it has flags.
   *
   * @param pollInterval milliseconds; with 0 it hears of changes by event streams only, where there are some
   * @throws when it was refused
   */
  static async start(
    { target, envId }: Workspace,
    key: string,
    context: EvaluationContext,
    pollInterval = 200,
  ): Promise<OpenFeatureWeb> {
    const statuses: number[] = [];
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
    await WebSdk.setContext(envId, context);
    await WebSdk.setProviderAndWait(envId, provider as Provider);
    return new OpenFeatureWeb(envId, statuses);
  }

  /** Carries on with another context. */
  async become(context: EvaluationContext): Promise<void> {
    await WebSdk.setContext(this.#envId, context);
  }

  /** Ends all of them. */
  static async closeAll(): Promise<void> {
    await WebSdk.close();
  }
}

/** The types of flags that providers tell apart. */
export type ValueType = 'boolean' | 'string' | 'integer' | 'float' | 'object';

/** An evaluation as the SDK of a provider describes it. */
export interface ProviderDetails {
  readonly value: unknown;
  readonly variant: string | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
  readonly metadata: object;
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
