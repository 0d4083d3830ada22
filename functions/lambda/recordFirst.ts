import { log } from '../telemetry/log.ts';

type Handler<Event, Invocation> = (event: Event, invocation: Invocation) => Promise<void>;

/**
 * Adds a record to a handler. The first call of an instance writes the record. Later calls write it only if all earlier attempts
 * failed. A failure is logged once, and does not affect the handler.
 */
export function recordFirst<Event, Invocation>(
  record: () => Promise<void>,
  handle: Handler<Event, Invocation>,
): Handler<Event, Invocation> {
  let state: 'missing' | 'failed' | 'recorded' = 'missing';
  const attempt = async () => {
    try {
      await record();
      state = 'recorded';
    } catch (error) {
      if (state === 'missing') log.warn('description of the service not recorded', { error: error as Error });
      state = 'failed';
    }
  };
  return async (event, invocation) => {
    await Promise.all([handle(event, invocation), ...(state === 'recorded' ? [] : [attempt()])]);
  };
}
