import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import type { ConnectionFacts } from '../requestContext.ts';
import { authorizerEvent, disconnectEvent } from './events.ts';

const facts: ConnectionFacts = {
  apiId: 'abcdefghij',
  stage: 'streaming',
  connectionId: 'AAAAAAAAAAAAAAA=',
  connectedAt: 1_731_324_924_553,
  identity: { sourceIp: '127.0.0.1', userAgent: 'probe/1' },
};

/** A handshake as `ws` makes it, with one header twice and one parameter twice. */
const request = (url: string) =>
  ({
    url,
    rawHeaders: [
      ['Sec-WebSocket-Version', '13'],
      ['Sec-WebSocket-Key', 'key'],
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
      ['User-Agent', 'probe/1'],
      ['X-Twice', '1'],
      ['X-Twice', '2'],
      ['Host', '127.0.0.1:4000'],
    ].flat(),
  }) as unknown as IncomingMessage;

const now = 1_731_324_924_561;

describe('handshake events', () => {
  test('the one of an authorizer has exactly the fields AWS sends', () => {
    const event = authorizerEvent(request('/streaming?token=a%20b&x=1&x=2&__proto__=y'), facts, now) as Record<
      string,
      unknown
    >;
    expect(Object.keys(event).sort()).toEqual([
      'headers',
      'methodArn',
      'multiValueHeaders',
      'multiValueQueryStringParameters',
      'queryStringParameters',
      'requestContext',
      'stageVariables',
      'type',
    ]);
    expect(Object.keys(event['headers'] as object).sort()).toEqual([
      'Connection',
      'Host',
      'Sec-WebSocket-Key',
      'Sec-WebSocket-Version',
      'Upgrade',
      'User-Agent',
      'X-Amzn-Trace-Id',
      'X-Forwarded-For',
      'X-Forwarded-Port',
      'X-Forwarded-Proto',
      'X-Twice',
      'content-length',
    ]);
    expect(event['headers']).toMatchObject({
      Host: 'abcdefghij.execute-api.us-east-1.amazonaws.com',
      'X-Twice': '2',
      'X-Forwarded-Port': '443',
      'X-Forwarded-Proto': 'https',
    });
    expect(event['multiValueHeaders']).toMatchObject({ 'X-Twice': ['1', '2'], 'User-Agent': ['probe/1'] });
    expect(JSON.stringify(event['queryStringParameters'])).toBe('{"token":"a b","x":"2","__proto__":"y"}');
    expect(event['multiValueQueryStringParameters']).toMatchObject({ x: ['1', '2'] });
    expect(event['requestContext']).toEqual({
      routeKey: '$connect',
      eventType: 'CONNECT',
      extendedRequestId: expect.stringMatching(/^[\w-]{15}=$/),
      requestTime: '11/Nov/2024:11:35:24 +0000',
      messageDirection: 'IN',
      stage: 'streaming',
      connectedAt: 1_731_324_924_553,
      requestTimeEpoch: now,
      identity: { sourceIp: '127.0.0.1', userAgent: 'probe/1' },
      requestId: expect.any(String),
      domainName: 'abcdefghij.execute-api.us-east-1.amazonaws.com',
      connectionId: 'AAAAAAAAAAAAAAA=',
      apiId: 'abcdefghij',
    });
  });

  test('without a query its fields are empty for the authorizer', () => {
    expect(authorizerEvent(request('/streaming'), facts, now)).toMatchObject({
      type: 'REQUEST',
      methodArn: 'arn:aws:execute-api:us-east-1:000000000000:abcdefghij/streaming/$connect',
      queryStringParameters: {},
      multiValueQueryStringParameters: {},
      stageVariables: {},
      headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'content-length': '0' },
    });
  });

  test('$disconnect carries code and reason, and AWS’s own headers', () => {
    expect(disconnectEvent(facts, { code: 1005, reason: 'r' }, now)).toMatchObject({
      headers: {
        Host: 'abcdefghij.execute-api.us-east-1.amazonaws.com',
        'x-api-key': '',
        'X-Forwarded-For': '',
        'x-restapi': '',
      },
      requestContext: { eventType: 'DISCONNECT', disconnectStatusCode: 1005, disconnectReason: 'r' },
      isBase64Encoded: false,
    });
  });
});
