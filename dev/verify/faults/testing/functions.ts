import { faulty } from './faults.ts';

/** Loads a function once for each instance, as an entry reads its environment when it is loaded. */
const load = (name: string) => async () =>
  (await import(`../../../../functions/lambda/${name}.ts${new URL(import.meta.url).search}`)).handler;

/* The functions of `functions/lambda`, with faults. */
export const sync = faulty('sync', load('sync'));
export const publish = faulty('publish', load('publish'));
export const deliver = faulty('deliver', load('deliver'));
