import { randomUUID } from 'node:crypto';
import { held } from '../held.ts';

/** Of this instance alone. */
const id = randomUUID();
let calls = 0;

/** Says which instance it is and how often it was called; is held up first, or for ever, if the event says so. */
export async function handler(event: { do?: 'wait' | 'hang' }): Promise<{ id: string; calls: number }> {
  calls += 1;
  const answer = { id, calls };
  if (event.do === 'wait') await held();
  if (event.do === 'hang') return new Promise(() => {});
  return answer;
}
