import { createHmac, randomBytes } from 'node:crypto';
import { textIn } from '../table/attributes.ts';
import { keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { Table } from '../table/table.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';

/** Gives the secret of a plan's webhook. */
export type WebhookSecrets = (planId: string) => string;

/**
 * The secrets of the webhooks of an environment. They are derived from one key, so that they need no items of their own.
 *
 * @returns undefined if the environment has no webhooks
 */
export async function readWebhookSecrets(table: Table, envId: string): Promise<WebhookSecrets | undefined> {
  const item = await readItem(table, keys.hook(envId));
  const hookKey = item && textIn(item, 'hookKey');
  // Anybody can sign with an empty key.
  return hookKey ? secretsOf(hookKey) : undefined;
}

/** As {@link readWebhookSecrets}. Creates the key of the environment if there is none. */
export function openWebhookSecrets(table: Table, envId: string): Promise<WebhookSecrets> {
  return retryWhenCancelled(table.effects, async () => {
    const present = await readWebhookSecrets(table, envId);
    if (present) return present;
    const hookKey = randomBytes(32).toString('base64url');
    const Item = { ...keys.hook(envId), hookKey: { S: hookKey } };
    const Put = { TableName: table.name, Item, ConditionExpression: 'attribute_not_exists(pk)' };
    await sendTransaction(table, [{ Put }]);
    return secretsOf(hookKey);
  });
}

function secretsOf(hookKey: string): WebhookSecrets {
  return (planId) => createHmac('sha256', hookKey).update(planId).digest('base64url');
}
