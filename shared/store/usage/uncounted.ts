import { textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { readItems, sortKeysBetween } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { putItem } from '../table/write.ts';

/** Paths of functions and containers in an app of CDK, by the id of the environment that they evaluate without counts. */
export type Uncounted = Readonly<Record<string, readonly string[]>>;

/**
 * Records the functions of a stack whose evaluations are not counted, in the place of those that it recorded before. The record of none
 * expires at once.
 *
 * @param stack its ARN
 */
export async function recordUncounted(table: Table, stack: string, uncounted: Uncounted): Promise<void> {
  const isEmpty = Object.keys(uncounted).length === 0;
  const expiresAt = isEmpty ? Math.floor(table.effects.now() / 1_000) : undefined;
  await putItem(table, keys.uncounted(stack), { functions: JSON.stringify(uncounted), expiresAt });
}

/** The recorded functions of all stacks whose evaluations of an environment are not counted, in alphabetical order. */
export async function readUncounted(table: Table, envId: string): Promise<readonly string[]> {
  const { pk, sk } = keys.uncounted('');
  const items = await readItems(table, pk, sortKeysBetween(sk, { S: `${sk.S}~` }));
  const stored = items.map((item) => JSON.parse(textIn(item, 'functions') || '{}') as Uncounted);
  return [...new Set(stored.flatMap(({ [envId]: paths = [] }) => paths))].sort();
}
