import { losses } from './lostSync.ts';

// By the registry that loads this, as an entry reads its environment when it is loaded.
const { handler: answer } = await import(`../../../../functions/lambda/sync.ts${new URL(import.meta.url).search}`);

/** The function of `functions/lambda/sync.ts`, of which API Gateway gets an error while data-syncs are lost. */
export async function handler(event: unknown, context: unknown): Promise<unknown> {
  if (!losses.areOn) return answer(event, context);
  losses.count += 1;
  throw new Error('throttled');
}
