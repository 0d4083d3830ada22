import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import type { Table } from './table.ts';

/** The ARN of a table. @returns undefined if it may not be described, as by the policies of operators */
export async function readTableArn({ client, name: TableName }: Table): Promise<string | undefined> {
  return (await client.send(new DescribeTableCommand({ TableName })).catch(() => undefined))?.Table?.TableArn;
}
