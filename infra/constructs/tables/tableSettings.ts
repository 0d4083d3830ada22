import { AttributeType, TableClass, type TablePropsV2 } from 'aws-cdk-lib/aws-dynamodb';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Config, TableSettings } from '../../config/config.ts';

/**
 * The settings that the tables share, and the operator's settings for one.
 *
 * They are on demand, so that they cost nothing when idle. Their type is `AWS::DynamoDB::GlobalTable` with one replica: a stack cannot
 * change a table to that type later, and can add replicas to it.
 *
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-dynamodb-globaltable.html
 */
export function tablePropsOf(
  config: Pick<Config, 'retainData'>,
  { tableClass, warmReads, warmWrites }: TableSettings,
): TablePropsV2 {
  return {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    timeToLiveAttribute: 'expiresAt',
    // A rollback could not delete a protected table either.
    removalPolicy: config.retainData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    deletionProtection: config.retainData,
    ...(tableClass === 'infrequent-access' && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    ...((warmReads !== undefined || warmWrites !== undefined) && {
      warmThroughput: {
        ...(warmReads !== undefined && { readUnitsPerSecond: warmReads }),
        ...(warmWrites !== undefined && { writeUnitsPerSecond: warmWrites }),
      },
    }),
  };
}
