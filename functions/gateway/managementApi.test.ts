import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { useFakeApi } from '../../shared/testing/fakeApi.ts';
import { UncertainPost } from './connectionSender.ts';
import { managementApi } from './managementApi.ts';

/** An answer of the management API: status and AWS's error name; `silent` takes the request and says nothing. */
type Answer = readonly [status: number, error?: string] | 'silent';

let answers: Answer[] = [];
let requests: { method: string; url: string; body: string }[] = [];

const fake = useFakeApi(({ method, url, body }, response) => {
  requests.push({ method, url, body });
  reply(response, answers.shift() ?? [200]);
});

beforeEach(() => {
  answers = [];
  requests = [];
});

function reply(response: ServerResponse, answer: Answer): void {
  if (answer === 'silent') return;
  const [status, error] = answer;
  if (error) response.setHeader('x-amzn-ErrorType', error);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(error ? '{"message":""}' : '');
}

const keys = async () => ({ accessKeyId: 'local', secretAccessKey: 'key', sessionToken: 'session' });
/** @param timeoutMs so long that no answer comes later, unless silence is meant */
const api = (timeoutMs = 10_000) =>
  managementApi(
    { endpoint: `${fake.endpoint}/streaming`, region: 'eu-west-1', keys },
    { ...systemEffects, pause: async () => {} },
    timeoutMs,
  );
const BUSY: Answer = [429, 'LimitExceededException'];

describe('a message', () => {
  test('reaches its connection as it is, whatever characters the connection’s id has', async () => {
    expect(await api().post('L0SM9cOFvHcCIhw=', '{"a":"é💥"}')).toBe('sent');
    const url = '/streaming/@connections/L0SM9cOFvHcCIhw%3D';
    expect(requests).toEqual([{ method: 'POST', url, body: '{"a":"é💥"}' }]);
  });

  test('is reported as gone at once if its connection has ended', async () => {
    answers = [[410, 'GoneException']];
    expect(await api().post('gone', '{}')).toBe('gone');
    expect(requests).toHaveLength(1);
  });

  test('is sent again while API Gateway is busy', async () => {
    answers = [BUSY, BUSY, BUSY];
    expect(await api().post('c', '{}')).toBe('sent');
    expect(requests).toHaveLength(4);
  });

  test('is not sent again if it became outdated while API Gateway was busy', async () => {
    answers = [BUSY, BUSY, BUSY];
    let asked = 0;
    expect(await api().post('c', '{}', undefined, async () => ++asked > 2)).toBe('outdated');
    expect(requests).toHaveLength(2);
  });

  test('is given up when API Gateway stays busy', async () => {
    answers = Array(9).fill(BUSY);
    await expect(api().post('c', '{}')).rejects.toThrow(expect.objectContaining({ name: 'LimitExceededException' }));
    expect(requests).toHaveLength(4);
  });

  test('is sent again for as long as it may be, where a client reads slowly', async () => {
    answers = Array(9).fill(BUSY);
    expect(await api().post('c', '{}', Number.POSITIVE_INFINITY)).toBe('sent');
    expect(requests).toHaveLength(10);
  });

  test.each<[string, Answer]>([
    ['silent', 'silent'],
    ['in error', [500, 'InternalServerError']],
  ])('may still arrive where API Gateway was %s once, whatever it answered later', async (_, first) => {
    answers = [first, BUSY, BUSY, BUSY];
    await expect(api(500).post('c', '{}')).rejects.toThrow(UncertainPost);
    expect(requests).toHaveLength(4);
  });

  test('is sent again after an error of API Gateway, and given up after some', async () => {
    answers = [
      [500, 'InternalServerError'],
      [503, 'ServiceUnavailable'],
    ];
    expect(await api().post('c', '{}')).toBe('sent');
    answers = Array(9).fill([500, 'InternalServerError']);
    await expect(api().post('c', '{}')).rejects.toThrow();
    expect(requests).toHaveLength(3 + 4);
  });

  test('is sent again where API Gateway stays silent', async () => {
    answers = ['silent'];
    expect(await api(500).post('c', '{}')).toBe('sent');
    expect(requests).toHaveLength(2);
  });

  test.each([
    [403, 'ForbiddenException'],
    [413, 'PayloadTooLargeException'],
  ])('is an error at once if it is refused with %i', async (status, name) => {
    answers = [[status, name]];
    const message = `API Gateway answered ${status} to a request about a connection`;
    await expect(api().post('c', '{}')).rejects.toMatchObject({ name, message });
    expect(requests).toHaveLength(1);
  });

  test('is an error for an answer without success and without an error’s name', async () => {
    answers = [[300]];
    await expect(api().post('c', '{}')).rejects.toMatchObject({ name: 'ManagementApiError', status: 300 });
  });
});

describe('a connection', () => {
  test('is closed; one that is gone already is no error', async () => {
    answers = [[204], [410, 'GoneException']];
    for (let n = 0; n < 2; n++) await api().end('L0SM9cOFvHcCIhw=');
    const url = '/streaming/@connections/L0SM9cOFvHcCIhw%3D';
    expect(requests).toEqual(Array(2).fill({ method: 'DELETE', url, body: '' }));
  });

  test('is closed though API Gateway is busy, silent or fails once, until it was tried four times', async () => {
    answers = [BUSY, [500, 'InternalServerError'], 'silent', [204]];
    await api(500).end('c');
    answers = Array(9).fill(BUSY);
    await expect(api().end('c')).rejects.toMatchObject({ name: 'LimitExceededException' });
    expect(requests).toHaveLength(4 + 4);
  });

  test('stays open if the request is refused, which is an error at once', async () => {
    answers = [[403, 'ForbiddenException']];
    await expect(api().end('c')).rejects.toMatchObject({ name: 'ForbiddenException' });
    expect(requests).toHaveLength(1);
  });
});
