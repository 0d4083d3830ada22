import { TableClass, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import type { TableSettings } from '../config/config.ts';

/** What an operator chose for a table, in the words of CDK's Table. */
export function tablePropsOf({
  tableClass,
  warmReads,
  warmWrites,
}: TableSettings): Pick<TableProps, 'tableClass' | 'warmThroughput'> {
  return {
    ...(tableClass === 'infrequent-access' && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    ...((warmReads !== undefined || warmWrites !== undefined) && {
      warmThroughput: {
        ...(warmReads !== undefined && { readUnitsPerSecond: warmReads }),
        ...(warmWrites !== undefined && { writeUnitsPerSecond: warmWrites }),
      },
    }),
  };
}
