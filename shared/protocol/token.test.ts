import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../testing/arbitraries/text.ts';
import { runs } from '../testing/runs.ts';
import { formatSecret } from './secret.ts';
import { decodeNumber, decodeToken, encodeNumber, encodeToken, isFresh, TOKEN_LIFETIME_MS } from './token.ts';

const CLIENT_SECRET = 'gpnOV3wI3kKAO9q9viC0wQWdKZrVAf2U6gAnxl4lSH3w';
const SERVER_SECRET = 'v3faJy3RCUO8d-EJiVdN6waRfGjfNan02Ms9c0LiTD6w';
const CLIENT_TOKEN = 'QWSBHgpnOV3wI3kKAO9q9viC0wQWQQBDDDQBZWPXDQSdKZrVAf2U6gAnxl4lSH3w';
const SERVER_TOKEN = 'QBPBHv3faJy3RCUO8d-QQBDDDQBZZQQXHPEJiVdN6waRfGjfNan02Ms9c0LiTD6w';

const secrets = fc
  .tuple(fc.uuid(), fc.uuid())
  .map(([random, envId]) => ({ envId, secret: formatSecret(random, envId) }));

describe('numbers in letters', () => {
  test.each([
    ['QQQ', 0],
    ['QWS', 23],
    ['BWZ', 128],
    ['WHH', 255],
    ['BDDBXZPZPXSDQ', 1661784847360],
    ['BWSPHDXZUQ', 1234567890],
    ['', 0],
    [' ', 0],
    ['QBabcd', undefined],
    ['1234QB', undefined],
    ['Q B', undefined],
    ['qws', undefined],
    ['Q💥', undefined],
  ])('%j is %p', (text, value) => {
    expect(decodeNumber(text)).toBe(value);
  });

  test('come back, with and without leading zeros', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(20), (value, width) => {
        expect(decodeNumber(encodeNumber(value, width))).toBe(value);
        expect(encodeNumber(value, width).length).toBe(Math.max(width, String(value).length));
      }),
    );
  });
});

describe('a token', () => {
  test.each([
    [CLIENT_TOKEN, CLIENT_SECRET, 'ad99d259-1f50-4ed9-a002-7c65e25487df', 1666018247603],
    [SERVER_TOKEN, SERVER_SECRET, '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb', 1666018800754],
  ])('%s is read as FeatBit reads it', (token, secret, envId, timestamp) => {
    expect(decodeToken(token)).toEqual({ secret, envId, timestamp });
  });

  test('comes back, whatever the secret, the time and the position', () => {
    fc.assert(
      fc.property(
        secrets,
        fc.maxSafeNat(),
        fc.integer({ min: 2, max: 44 }),
        ({ secret, envId }, timestamp, position) => {
          expect(decodeToken(encodeToken(secret, timestamp, position))).toEqual({ secret, envId, timestamp });
        },
      ),
    );
  });

  test('leaves out the padding of a secret', () => {
    expect(encodeToken(`${CLIENT_SECRET}==`, 1666018247603, 30)).toBe(encodeToken(CLIENT_SECRET, 1666018247603, 30));
    expect(encodeToken(CLIENT_SECRET, 1666018247603, 30)).toContain(CLIENT_SECRET.slice(30));
  });

  test.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['four characters', '4chs'],
    ['a header of no digits', '5chars'],
    ['a header only', 'QWSBH'],
    ['FeatBit’s own broken example', 'QDUBHYWVkLWNiZT'],
    ['no secret', 'QQQQS123'],
    ['a letter in the position', `qWS${CLIENT_TOKEN.slice(3)}`],
    ['a letter in the length', `QWSbH${CLIENT_TOKEN.slice(5)}`],
    ['a letter in the timestamp', CLIENT_TOKEN.replace('BDDDQ', 'BDDDq')],
    ['a position that is no byte', `WHD${CLIENT_TOKEN.slice(3)}${'A'.repeat(300)}`],
    ['a position beyond the end', `BQQ${CLIENT_TOKEN.slice(3)}`],
    ['a length beyond the end', `QWSUU${CLIENT_TOKEN.slice(5)}`],
    ['a position of no digits before half a secret', `abcQQ${CLIENT_SECRET.slice(22)}`],
    ['a length of no digits before a part of a secret', `QBPab${CLIENT_SECRET.slice(14)}`],
    ['a position beyond a secret without a timestamp', `BQQQQ${CLIENT_SECRET}`],
    ['a timestamp shorter than its length', `QPPQU${CLIENT_SECRET}BBB`],
    ['a position one too far', `QWP${CLIENT_TOKEN.slice(3)}`],
    ['one character less', CLIENT_TOKEN.slice(0, -1)],
    ['one character more', `${CLIENT_TOKEN}w`],
    ['four characters more', `${CLIENT_TOKEN}wwww`],
    ['blanks in place of the secret', `QQWBH${' '.repeat(2)}QQBDDDQBZWPXDQS${' '.repeat(42)}`],
    ['a very long text', CLIENT_TOKEN.repeat(5_000)],
  ])('is not read from %s', (_, text) => {
    expect(decodeToken(text)).toBeUndefined();
  });

  test('is never fresh with a blank header, as that holds no time', () => {
    const token = decodeToken(`     ${CLIENT_SECRET}`);
    expect(token).toMatchObject({ secret: CLIENT_SECRET, timestamp: 0 });
    expect(token && isFresh(token, Date.UTC(2024, 0))).toBe(false);
  });

  test('made of garbage never throws, and is never fresh', () => {
    const letters = fc.constantFrom(...'QBWSPHDXZU -=A0_💥\0');
    const garbage = fc.oneof(
      anyText(90),
      fc.array(letters, { maxLength: 90 }).map((parts) => parts.join('')),
      fc.tuple(fc.nat(63), anyText(1)).map(([at, other]) => {
        return CLIENT_TOKEN.slice(0, at) + other + CLIENT_TOKEN.slice(at + 1);
      }),
    );
    fc.assert(
      fc.property(garbage, (text) => {
        const token = decodeToken(text);
        expect(token !== undefined && isFresh(token, Date.UTC(2024, 0))).toBe(false);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('the age of a token', () => {
  const now = 1_700_000_000_000;
  const madeAt = (timestamp: number) => ({ secret: CLIENT_SECRET, envId: '', timestamp });

  test('may be the lifetime, either way, and not a millisecond more', () => {
    expect(TOKEN_LIFETIME_MS).toBe(30_000);
    expect(isFresh(madeAt(now - 30_000), now)).toBe(true);
    expect(isFresh(madeAt(now + 30_000), now)).toBe(true);
    expect(isFresh(madeAt(now - 30_001), now)).toBe(false);
    expect(isFresh(madeAt(now + 30_001), now)).toBe(false);
  });

  test('is too great for a time with 99 digits', () => {
    const token = decodeToken(`QQWUU${CLIENT_SECRET.slice(0, 2)}${'U'.repeat(99)}${CLIENT_SECRET.slice(2)}`);
    expect(token?.secret).toBe(CLIENT_SECRET);
    expect(token && isFresh(token, now)).toBe(false);
  });
});
