import { expect, test } from '@jest/globals';
import { judgeMessage, judgeResponse } from './deliver.ts';

test.each([
  ['{"messageType":"pong","data":{}}', undefined],
  ['Internal server error', 'no JSON'],
  ['{"message":"Forbidden"}', 'no messageType'],
  ['null', 'no messageType'],
])('accepts only messages that are JSON objects with messageType: %s', (text, why) => {
  const problem = judgeMessage(text);
  if (why === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(why);
});

test.each([
  [200, '{"a":1}', undefined],
  [400, '', undefined],
  [501, '{}', undefined],
  [200, '{"a":', 'no JSON'],
  [500, '{}', 'answered 500'],
  [503, '', 'answered 503'],
])('accepts no failure and no broken JSON as a response: %d %s', (status, body, why) => {
  const problem = judgeResponse(status, body, 'application/json');
  if (why === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(why);
});
