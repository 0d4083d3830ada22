import type { Stack } from '@aws-sdk/client-cloudformation';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { describeStoreError } from '../../shared/store/table/describeStoreError.ts';

/** A deployment. A field is undefined if it is unknown. */
export interface Deployment {
  readonly flags: string;
  readonly connections?: string;
  readonly streamingUrl?: string;
  readonly httpUrl?: string;
  /** Of the console with sign-in. */
  readonly consoleUrl?: string;
}

/** Options of the operator. */
export type DeploymentOptions = Partial<Deployment> & {
  /** Prefix of its stacks, alarms and metrics: name and stage with a dash, or the stack of the release template. */
  readonly deployment: string;
  /** True for the single stack of the release template. */
  readonly isOneStack?: boolean;
};

/** Reads a stack by name. @throws errors of AWS */
type DescribeStack = (name: string) => Promise<Stack | undefined>;

/**
 * Finds a deployment from the operator's options, and from stack outputs if no table is given.
 *
 * @throws {Error} if there is no such stack, or no permission to read it
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
      consoleUrl: serverless['ConsoleUrl'],
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
