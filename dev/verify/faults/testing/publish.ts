import { faulty } from './faults.ts';

// By the registry that loads this, as an entry reads its environment when it is loaded.
const { handler: work } = await import(`../../../../functions/lambda/publish.ts${new URL(import.meta.url).search}`);

/** The function of `functions/lambda/publish.ts`, with faults. */
export const handler = faulty('publish', work);
