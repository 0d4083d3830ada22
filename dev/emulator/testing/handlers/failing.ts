import { note } from './received.ts';

/** Notes the event and fails. */
export async function handler(event: unknown): Promise<never> {
  note('failing', event);
  throw new Error('this handler fails');
}
