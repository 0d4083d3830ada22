// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the dollar and braces are AWS’s own syntax
import { describe, expect, test } from '@jest/globals';
import { selectRouteKey } from './route.ts';

describe('route selection', () => {
  test.each([
    ['{"messageType":"ping"}', 'ping'],
    ['{\n "data": null, "messageType": "echo"\n}', 'echo'],
    ['{"messageType":7}', undefined],
    ['{"messageType":{"a":1}}', undefined],
    ['{"messagetype":"ping"}', undefined],
    ['[]', undefined],
    ['"messageType"', undefined],
    ['null', undefined],
    ['not json', undefined],
    ['', undefined],
  ])('%s selects %s', (body, expected) => {
    expect(selectRouteKey('$request.body.messageType', body)).toBe(expected);
  });

  test('braces and deeper paths', () => {
    expect(selectRouteKey('${request.body.a.b}', '{"a":{"b":"x"}}')).toBe('x');
    expect(selectRouteKey('$request.body.toString', '{}')).toBeUndefined();
  });

  test('another kind of expression is refused', () => {
    expect(() => selectRouteKey('$request.header.x', '{}')).toThrow('"$request.header.x"');
  });
});
