import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { envIdOfSecret, formatSecret, SECRET_LENGTH } from './secret.ts';

const VECTORS = [
  ['gpnOV3wI3kKAO9q9viC0wQWdKZrVAf2U6gAnxl4lSH3w', 'ad99d259-1f50-4ed9-a002-7c65e25487df'],
  ['v3faJy3RCUO8d-EJiVdN6waRfGjfNan02Ms9c0LiTD6w', '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb'],
  ['qJHQTVfsZUOu1Q54RLMuIQ-JtrIvNK-k-bARYicOTNQA', '226b9bf8-4af3-4ffa-9b01-162270e4cd40'],
] as const;

describe('an environment secret', () => {
  test.each(VECTORS)('%s belongs to environment %s', (secret, envId) => {
    expect(envIdOfSecret(secret)).toBe(envId);
  });

  test('is a random GUID and the environment', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (random, envId) => {
        const secret = formatSecret(random, envId);
        expect(secret).toHaveLength(SECRET_LENGTH);
        expect(envIdOfSecret(secret)).toBe(envId);
      }),
    );
  });

  test.each([
    ['nothing', ''],
    ['blanks', ' '.repeat(SECRET_LENGTH)],
    ['one character less', VECTORS[0][0].slice(1)],
    ['one character more', `g${VECTORS[0][0]}`],
    ['a blank before', ` ${VECTORS[0][0].slice(1)}`],
    ['a blank after', `${VECTORS[0][0].slice(0, -1)} `],
    ['padding in place of its end', `${VECTORS[0][0].slice(0, -1)}=`],
    ['no environment', `${VECTORS[0][0].slice(0, 22)}${'A'.repeat(22)}`],
    ['characters of the other base64', `${VECTORS[0][0].slice(0, -2)}+/`],
  ])('is not one with %s', (_, text) => {
    expect(envIdOfSecret(text)).toBeUndefined();
  });
});
