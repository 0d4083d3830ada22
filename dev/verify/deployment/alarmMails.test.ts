import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from '@jest/globals';
import { mailMember, mailsAnswer, PLAYED_IDENTITY } from '../../../infra/preflight/testing/playedAccount.ts';
import { alarmMails } from './awsObservations.ts';

const TABLE = 'Flagwire-prod-Data-Flags0A1B2C3D-1QWERTY';
const before = { ...process.env };
afterEach(() => {
  process.env = { ...before };
});

/** What the observation sees of a topic with these members. */
async function seen(members: string | undefined, table = TABLE) {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const query = await text(request);
    const identity = `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>${PLAYED_IDENTITY.account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`;
    const [status, xml] = mailsAnswer(query, members) ?? [200, identity];
    asked.push(query);
    response.writeHead(status, { 'content-type': 'text/xml' }).end(xml);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  try {
    return { answer: await alarmMails(table).look({} as never, undefined), asked };
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

test('names addresses that have not confirmed', async () => {
  const { answer, asked } = await seen(mailMember('a@example.com', true) + mailMember('b@example.com', false));
  expect(answer).toEqual({ answer: 'a@example.com, b@example.com (not confirmed)', isPromised: false });
  expect(asked.join()).toContain(encodeURIComponent('arn:aws:sns:eu-west-1:123456789012:Flagwire-prod-alarms'));
});

test('is content with addresses that have confirmed, and not with none', async () => {
  expect((await seen(mailMember('a@example.com', true))).answer).toEqual({ answer: 'a@example.com', isPromised: true });
  expect((await seen('')).answer).toEqual({ answer: 'nobody', isPromised: false });
});

test('is left out without a topic, and for a table of another kind of deployment', async () => {
  expect((await seen(undefined)).answer).toBeUndefined();
  expect(await seen('', 'flags')).toEqual({ answer: undefined, asked: [] });
});
