import type { Stack } from '@aws-sdk/client-cloudformation';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';

/** What the console needs to know of a deployment; undefined is what it was not told. */
export interface Deployment {
  readonly flags: string;
  readonly connections?: string;
  readonly streamingUrl?: string;
  readonly httpUrl?: string;
}

/** What the operator gives. */
export type DeploymentOptions = Partial<Deployment> & {
  /** What the names of its stacks, alarms and metrics begin with: name and stage with a dash, or the one stack of the release template. */
  readonly deployment: string;
  /** Whether it is one stack. */
  readonly isOneStack?: boolean;
};

/** What of CloudFormation is used: a stack by its name. @throws what AWS says */
type DescribeStack = (name: string) => Promise<Stack | undefined>;

/**
 * Finds a deployment: what the operator says, and where no table is named, what the outputs of its stacks say.
 *
 * @throws {Error} where there is no such stack, or it may not be looked at
 */
export async function findDeployment(options: DeploymentOptions, describe: DescribeStack): Promise<Deployment> {
  const { deployment, isOneStack = false, flags, ...more } = options;
  if (flags !== undefined) return { flags, ...more };
  const dataStack = isOneStack ? deployment : `${deployment}-Data`;
  const data = await outputsOf(describe, dataStack);
  const serverless = isOneStack ? data : await outputsOf(describe, `${deployment}-Serverless`);
  const table = data['FlagsTableName'];
  if (table === undefined) throw new Error(`the stack ${dataStack} names no table; name it with --table`);
  return {
    flags: table,
    ...omitUndefined({
      connections: data['ConnectionsTableName'],
      streamingUrl: serverless['StreamingUri'],
      httpUrl: serverless['PollingUri'],
      ...omitUndefined(more),
    }),
  };
}

async function outputsOf(describe: DescribeStack, name: string): Promise<Record<string, string | undefined>> {
  try {
    const stack = await describe(name);
    return Object.fromEntries(
      (stack?.Outputs ?? []).map(({ OutputKey = '', OutputValue }) => [OutputKey, OutputValue]),
    );
  } catch (error) {
    throw new Error(
      `the stack ${name} cannot be read: ${describeStoreError(error)}. Set --name and --stage (or --stack) and --region, or name the table with --table`,
      { cause: error },
    );
  }
}
