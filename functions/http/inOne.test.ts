import { describe, expect, test } from '@jest/globals';
import { Hono, type MiddlewareHandler } from 'hono';
import { inOne } from './inOne.ts';

/** Records when it begins and ends. */
function step(name: string, steps: string[]): MiddlewareHandler {
  return async (_, next) => {
    steps.push(name);
    await next();
    steps.push(`${name} ended`);
  };
}

describe('handlers that run as one', () => {
  test('run in order, and the last one answers', async () => {
    const steps: string[] = [];
    const app = new Hono().post(
      '/',
      inOne([step('first', steps), step('second', steps)], (context) => context.text(`after ${steps.join()}`, 201)),
    );
    const response = await app.request('/', { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([201, 'after first,second']);
    expect(steps).toEqual(['first', 'second', 'second ended', 'first ended']);
  });

  test('end with the first that answers', async () => {
    const steps: string[] = [];
    const refuse: MiddlewareHandler = async (context) => context.text('no', 403);
    const app = new Hono().post(
      '/',
      inOne([step('first', steps), refuse, step('third', steps)], (context) => context.text('yes')),
    );
    const response = await app.request('/', { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([403, 'no']);
    expect(steps).toEqual(['first', 'first ended']);
  });

  test('leave their errors to the app', async () => {
    const app = new Hono()
      .post(
        '/',
        inOne([step('first', [])], () => {
          throw new Error('broken');
        }),
      )
      .onError((error, context) => context.text(error.message, 500));
    const response = await app.request('/', { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([500, 'broken']);
  });
});
