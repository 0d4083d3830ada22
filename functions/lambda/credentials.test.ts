import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { defaultProvider } from './credentials.ts';

const before = { ...process.env };
beforeEach(() => {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLE';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'not-for-anybody';
  process.env['AWS_SESSION_TOKEN'] = 'token';
});
afterEach(() => {
  process.env = { ...before };
});

describe('credentials', () => {
  test('are those of the environment', async () => {
    expect(await defaultProvider()()).toEqual({
      accessKeyId: 'AKIAEXAMPLE',
      secretAccessKey: 'not-for-anybody',
      sessionToken: 'token',
    });
  });

  test.each([undefined, ''])('have no session token where none is set (%j)', async (token) => {
    if (token === undefined) delete process.env['AWS_SESSION_TOKEN'];
    else process.env['AWS_SESSION_TOKEN'] = token;
    expect(await defaultProvider()()).toEqual({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not-for-anybody' });
  });

  test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'are an error without %s when they are needed, which shows no value',
    async (name) => {
      delete process.env[name];
      const provide = defaultProvider();
      const failed = await provide().catch((error: Error) => error);
      expect(String(failed)).toContain('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set');
      expect(String(failed)).not.toMatch(/AKIAEXAMPLE|not-for-anybody|token/);
    },
  );
});
