import { faulty } from './faults.ts';

// By the registry that loads this, as an entry reads its environment when it is loaded.
const { handler: work } = await import(`../../../../functions/lambda/sync.ts${new URL(import.meta.url).search}`);

/** The function of `functions/lambda/sync.ts`, with faults. */
export const handler = faulty('sync', work);
