import { describe, expect, test } from '@jest/globals';
import { readUrls } from './access.ts';

describe('URLs', () => {
  test('are taken as the stack prints them and as SDKs complete them', () => {
    const expected = { streamingUrl: 'wss://a.example', httpUrl: 'https://b.example' };
    expect(readUrls('wss://a.example', 'https://b.example')).toEqual(expected);
    expect(readUrls('wss://a.example/streaming/', 'https://b.example/')).toEqual(expected);
  });

  test.each([
    ['https://a.example', 'https://b.example', 'the streaming URL must be wss://… or ws://…'],
    ['wss://a.example', 'wss://b.example', 'the HTTP URL must be https://… or http://…'],
    ['a.example', 'https://b.example', 'but is "a.example"'],
  ])('%s and %s are refused', (streaming, http, message) => {
    expect(() => readUrls(streaming, http)).toThrow(message);
  });
});
