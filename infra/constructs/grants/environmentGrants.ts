import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { keysOfCounter, keysOfReader } from '../../../shared/store/table/keys.ts';

/** Attributes that a change of flags or segments writes, in documents, versions, journal, history and plans. */
const WRITTEN_BY_CHANGES = (
  'pk sk kind updatedAt previous writtenAt targetedAt doc docGz isUnfinished ' +
  'changes change previousAt at by command commit documents expiresAt target isOpen revision plan due pausedAt hookKey'
).split(' ');

/** Permission to read one environment: documents, versions, journal and snapshot. */
export function readingEnvironment(flags: ITableV2, envId: string): PolicyStatement {
  return onItems(flags, ['dynamodb:GetItem', 'dynamodb:Query'], keysOfReader(envId));
}

/** Permission to count evaluations of one environment in the table of usage. */
export function countingUsage(usage: ITableV2, envId: string): PolicyStatement {
  return onItems(usage, ['dynamodb:UpdateItem'], keysOfCounter(envId));
}

/** Permission to change flags or segments of one environment, also with a plan. The functions tick and guard delete entries of plans. */
export function changingEnvironment(flags: ITableV2, envId: string): PolicyStatement {
  const own = [
    `ENV#${envId}`,
    `VERSION#${envId}#*`,
    `JOURNAL#${envId}`,
    `HISTORY#${envId}`,
    `PLAN#${envId}`,
    'DUE',
    'GUARD#*',
    `HOOK#${envId}`,
  ];
  const statement = onItems(flags, ['dynamodb:PutItem'], own);
  statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:Attributes': WRITTEN_BY_CHANGES });
  return statement;
}

/** Permission for items with these partition keys. @param keys may contain `*` */
export function onItems(table: ITableV2, actions: string[], keys: string[]): PolicyStatement {
  return new PolicyStatement({
    actions,
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys } },
  });
}
