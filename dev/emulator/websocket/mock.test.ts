import { describe, expect, test } from '@jest/globals';
import { runMock } from './mock.ts';

const request = (template: string) => ({ templates: { $default: template }, selection: '\\$default' });
const response = (key: string, body: string) => ({ key, templates: { $default: body }, selection: '\\$default' });

describe('MOCK integration', () => {
  test('the status code selects the response, $default catches the rest', () => {
    const responses = [response('$default', 'other'), response('/2\\d\\d/', 'fine')];
    expect(runMock({ request: request('{"statusCode":204}'), responses })).toEqual({ statusCode: 204, body: 'fine' });
    expect(runMock({ request: request('{"statusCode":403}'), responses })).toEqual({ statusCode: 403, body: 'other' });
  });

  test('without a response or a template there is no body', () => {
    expect(runMock({ request: request('{"statusCode":200}'), responses: [] })).toEqual({ statusCode: 200 });
    expect(runMock({ request: { templates: {} }, responses: [{ key: '$default', templates: {} }] })).toEqual({
      statusCode: 200,
    });
  });

  test('a template that needs VTL or names no status is refused', () => {
    expect(() => runMock({ request: request('{"statusCode":#if(1)200#end}'), responses: [] })).toThrow('VTL');
    expect(() => runMock({ request: request('{}'), responses: [] })).toThrow('no status code');
  });
});
