import { expect, test } from '@jest/globals';
import { HttpAnswer } from './httpAnswer.ts';

const answers = {
  'with a length': 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd',
  'in chunks': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n',
  'without a body': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n',
};

test.each(Object.entries(answers))('an answer %s is complete with its last byte, in pieces of any size', (_, text) => {
  for (let size = 1; size <= text.length; size++) {
    const answer = new HttpAnswer();
    const complete: boolean[] = [];
    for (let at = 0; at < text.length; at += size) complete.push(answer.read(Buffer.from(text.slice(at, at + size))));
    expect(complete).toEqual([...Array(complete.length - 1).fill(false), true]);
    expect([answer.status, answer.bytes]).toEqual([Number(text.slice(9, 12)), text.length]);
  }
});
