import { describe, expect, test } from '@jest/globals';
import { Conversation, judgeResponse, readHead } from './answers.ts';
import { encodeFrame, OPCODE, textFrame } from './frames.ts';

const fromServer = (opcode: number, payload: string | Buffer, more: { isLast?: boolean; reserved?: number } = {}) =>
  encodeFrame({ opcode, payload: Buffer.from(payload as string), ...more });
const closing = (status: number, mask?: Buffer) => {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(status);
  return encodeFrame({ opcode: OPCODE.close, payload, ...(mask ? { mask } : {}) });
};
const mask = Buffer.from([1, 2, 3, 4]);

describe('a message on a WebSocket', () => {
  test('is right when each message is a JSON object with messageType, and nothing is closed with 1000', () => {
    const conversation = new Conversation([textFrame('{}', mask)]);
    const pong = '{"messageType":"pong","data":{}}';
    expect(conversation.receive(Buffer.concat([fromServer(OPCODE.text, pong), fromServer(OPCODE.pong, 'x')]))).toEqual([
      pong,
    ]);
    conversation.receive(closing(1009));
    expect(conversation.closed).toBe(1009);
  });

  test.each([
    ['text that is no JSON', fromServer(OPCODE.text, 'Internal server error'), 'no JSON'],
    ['an object without messageType', fromServer(OPCODE.text, '{"message":"Forbidden"}'), 'no messageType'],
    ['null', fromServer(OPCODE.text, 'null'), 'no messageType'],
    ['text that is no UTF-8', fromServer(OPCODE.text, Buffer.from([0xff])), 'not valid'],
    ['a binary message', fromServer(OPCODE.binary, 'x'), 'opcode 2'],
    ['a message in pieces', fromServer(OPCODE.text, '{}', { isLast: false }), 'several frames'],
    ['reserved bits', fromServer(OPCODE.text, '{}', { reserved: 4 }), 'reserved bits'],
    ['a mask', textFrame('{}', mask), 'a mask'],
    ['a close with 1000', closing(1000), 'closed with 1000'],
  ])('is wrong when it is %s', (_, bytes, why) => {
    expect(() => new Conversation([textFrame('{}', mask)]).receive(bytes)).toThrow(why);
  });

  test('may be 1000 in answer to 1000', () => {
    const conversation = new Conversation([closing(1000, mask)]);
    conversation.receive(closing(1000));
    expect(conversation.closed).toBe(1000);
  });
});

describe('a response', () => {
  const judge = (text: string) => {
    const bytes = Buffer.from(text);
    const head = readHead(bytes);
    return head && judgeResponse(head, bytes.subarray(head.size));
  };
  const json = (status: number, body: string) =>
    `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  test.each([
    json(200, '{"a":1}'),
    json(400, '""'),
    'HTTP/1.1 404 Not Found\r\n\r\n',
    'HTTP/1.1 501 X\r\n\r\n',
    'HTTP/1',
  ])('is right: %j', (text) => expect(judge(text)).toBeUndefined());

  test.each([
    [json(200, '{"a":'), 'no JSON'],
    [json(500, '{}'), 'answered 500'],
    ['HTTP/1.1 503 X\r\n\r\n', 'answered 503'],
  ])('is wrong: %j', (text, why) => expect(judge(text)).toContain(why));

  test('is wrong when it is no response at all', () => {
    expect(() => judge('SSH-2.0-OpenSSH_9.9')).toThrow('begins with');
  });
});
