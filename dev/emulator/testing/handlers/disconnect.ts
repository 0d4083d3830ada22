import { note } from './received.ts';

/** Notes the event. */
export async function handler(event: unknown): Promise<unknown> {
  note('disconnect', event);
  return { statusCode: 200 };
}
