import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import { type LocalOptions, type LocalStack, startLocal } from '../../emulator/emulator.ts';
import { freePort } from '../../support/freePort.ts';
import { HostProcess } from '../../support/hostProcess.ts';
import { hostVariables, withHosts } from './hostRole.ts';
import { openTables, type Target, urlsAt } from './target.ts';

/** The stacks on the emulator, in this process, as a target. */
export type EmulatedStack = LocalStack &
  Target &
  Required<Pick<Target, 'insights'>> & {
    /** Requests that IAM denied. {@link close} fails if a test has not removed them. */
    readonly denials: string[];
  };

/** A target: a host in its own process, on the tables of an emulator and with the role of a machine. */
export type EmulatedHost = Awaited<ReturnType<typeof startHost>>;

/** Starts the emulator with the stacks' templates, or with others. Unless told otherwise, it says nothing. */
export async function startStack(
  // The cases count more evaluations in a second than the default maximum allows.
  templates: LocalOptions['templates'] = synthesizedTemplates(readConfig({ usageWritesPerSecond: 5_000 })),
  options: Omit<LocalOptions, 'templates'> = {},
): Promise<EmulatedStack> {
  // The cases cause many warnings. Unit tests of the functions test them.
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  const { log = () => undefined } = options;
  const denials: string[] = [];
  const note = (line: string) => {
    if (line.startsWith('iam: ')) denials.push(line);
    log(line);
  };
  const stack = await startLocal({ templates, ...options, log: note });
  const tables = openTables({ ...stack.tables, usage: stack.environment['USAGE_TABLE'] }, stack.insightDirectory);
  return {
    ...stack,
    ...tables,
    webhookUrl: stack.httpUrl,
    denials,
    async close() {
      tables.store.close();
      await stack.close();
      if (denials.length > 0) throw new Error(`a role lacks a permission: ${denials.join('; ')}`);
    },
  };
}

/** Starts a host as a machine runs it. @param settings its environment variables besides its port and those of AWS */
export async function startHost(settings: Readonly<Record<string, string>> = {}, templates = withHosts()) {
  const stack = await startStack(templates);
  const port = await freePort();
  const own = { PORT: String(port), DRAIN_MS: '500', ...hostVariables(stack, 'machine'), ...settings };
  const start = () => HostProcess.start(stack, own);
  let host = await start().catch(async (error) => {
    await stack.close();
    throw error;
  });
  return {
    ...urlsAt(port),
    store: stack.store,
    tables: stack.tables,
    insights: stack.insights,
    ...omitUndefined({ receipts: stack.receipts, usage: stack.usage }),
    stack,
    /** The current process: {@link start} starts a new one. */
    get process() {
      return host;
    },
    /** Starts it again, at the same port, after it was stopped. */
    async start() {
      host = await start();
    },
    async close() {
      await host.stop('SIGKILL');
      await stack.close();
    },
  };
}
