import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import packageJson from '../../package.json' with { type: 'json' };
import { findAuthor } from '../../shared/command/author.ts';
import { versionWarning } from '../../shared/command/versionWarning.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import { openStore } from '../../shared/store/store.ts';
import { readServiceVersion } from '../../shared/store/table/serviceVersion.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { buildPage } from '../page/build.ts';
import { serveConsole } from '../serve.ts';
import { createConsole } from '../server/app.ts';
import { localAccess, newToken } from '../server/guard.ts';
import { deployedContext } from './deployedContext.ts';
import { type DeploymentOptions, findDeployment } from './deployment.ts';

/** Timeout of the first request to the table. */
const TABLE_TIMEOUT_MS = 10_000;

/** A console for a deployed table. */
interface DeployedConsole {
  /** The address with its token. */
  readonly url: string;
  readonly table: string;
  /** Set if the service has another version. */
  readonly warning?: string;
  close(): Promise<void>;
}

/**
 * Opens the console of a deployment with the AWS credentials and region of the process.
 *
 * @param options of the operator. `table` is the flags table
 * @throws {Error} if the table does not answer, the operator may not read it, or the port is in use
 */
export async function openDeployedConsole(
  { table, ...options }: Omit<DeploymentOptions, 'flags'> & { readonly table?: string },
  port: number,
): Promise<DeployedConsole> {
  const stacks = new CloudFormationClient({ requestHandler: throughProxy() });
  const deployment = await findDeployment(
    { ...options, ...(table === undefined ? {} : { flags: table }) },
    async (StackName) => {
      const { Stacks } = await stacks.send(new DescribeStacksCommand({ StackName }));
      return Stacks?.[0];
    },
  );
  const { flags, connections, ...urls } = deployment;
  const client = createDynamoDb();
  const region = await client.config.region();
  const store = openStore({ client, flags }, systemEffects);
  const [, service] = await Promise.all([
    store.check(TABLE_TIMEOUT_MS),
    // Policies of an older deployment do not allow this read.
    readServiceVersion({ client, name: flags }, AbortSignal.timeout(TABLE_TIMEOUT_MS)).catch(() => undefined),
  ]);
  const warning = service === undefined ? undefined : versionWarning(packageJson.version, service);
  const author = findAuthor('', true);
  const token = newToken();
  const consoleContext = deployedContext({
    tables: { client, flags, ...(connections === undefined ? {} : { connections }) },
    author: () => author,
    cloudWatch: new CloudWatchClient({ requestHandler: throughProxy() }),
    region,
    deployment: options.deployment,
    context: { ...urls, ...omitUndefined({ versionWarning: warning }) },
  });
  const made = createConsole({ access: localAccess(consoleContext, token), buildPage, log: console.error });
  const served = await serveConsole(made, port);
  return {
    url: `${served.url}#token=${token}`,
    table: flags,
    ...omitUndefined({ warning }),
    close: async () => {
      await served.close();
      store.close();
    },
  };
}
