import { faulty } from './faults.ts';

// By the registry that loads this, as an entry reads its environment when it is loaded.
const { handler: work } = await import(`../../../../functions/lambda/deliver.ts${new URL(import.meta.url).search}`);

/** The function of `functions/lambda/deliver.ts`, with faults. */
export const handler = faulty('deliver', work);
