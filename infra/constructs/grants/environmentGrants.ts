import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { keysOfCounter, keysOfReader } from '../../../shared/store/table/keys.ts';
import { onItems, READING } from '../onItems.ts';

/** Attributes that a change of flags or segments writes, in documents, versions, journal, history and plans. */
const WRITTEN_BY_CHANGES = (
  'pk sk kind updatedAt previous writtenAt targetedAt doc docGz isUnfinished ' +
  'changes change previousAt at by command commit documents expiresAt target isOpen revision plan due pausedAt hookKey'
).split(' ');

/** Permission to read one environment: documents, versions, journal and snapshot. */
export function readingEnvironment(flags: ITableV2, envId: string): PolicyStatement {
  return onItems(flags, READING, keysOfReader(envId));
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
  return onAttributes(onItems(flags, ['dynamodb:PutItem'], own), WRITTEN_BY_CHANGES);
}

/**
 * Permission to write into the history of one environment who was signed in. Only roles of the deployed console have it, and
 * administrators, whose policy names no attributes. So an editor with AWS keys cannot pretend it.
 */
export function signingChanges(flags: ITableV2, envId: string): PolicyStatement {
  return onAttributes(onItems(flags, ['dynamodb:PutItem'], [`HISTORY#${envId}`]), [...WRITTEN_BY_CHANGES, 'signedBy']);
}

function onAttributes(statement: PolicyStatement, attributes: string[]): PolicyStatement {
  statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:Attributes': attributes });
  return statement;
}
