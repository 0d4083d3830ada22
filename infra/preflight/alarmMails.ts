import { quoteWord } from '../../shared/command/quoteWord.ts';
import type { Finding } from './finding.ts';
import type { Destination } from './identity.ts';
import { sendSigned, unlessMissing } from './signedRequest.ts';

/** The permission for {@link readAlarmMails}. */
export const ALARM_MAILS_ACTION = 'sns:ListSubscriptionsByTopic';

/** Addresses that a topic mails to. AWS sends nothing to those that have not confirmed. */
interface AlarmMails {
  readonly topicArn: string;
  readonly confirmed: readonly string[];
  readonly pending: readonly string[];
}

/**
 * Reads the addresses of a topic.
 *
 * Source: https://docs.aws.amazon.com/sns/latest/api/API_ListSubscriptionsByTopic.html
 *
 * @returns undefined if there is no such topic
 */
export async function readAlarmMails(
  { account, region }: Pick<Destination, 'account' | 'region'>,
  topic: string,
): Promise<AlarmMails | undefined> {
  const topicArn = `arn:aws:sns:${region}:${account}:${topic}`;
  const body = `Action=ListSubscriptionsByTopic&TopicArn=${encodeURIComponent(topicArn)}&Version=2010-03-31`;
  const answer = await unlessMissing(sendSigned({ service: 'sns', region, body }), 'NotFound');
  if (answer === undefined) return undefined;
  const mails = [...answer.matchAll(/<member>(.*?)<\/member>/gs)]
    .map(([, member = '']) => member)
    .filter((member) => member.includes('<Protocol>email</Protocol>'));
  const addresses = (isPending: boolean) =>
    mails
      .filter((member) => member.includes('<SubscriptionArn>PendingConfirmation<') === isPending)
      .flatMap((member) => /<Endpoint>([^<]+)</.exec(member)?.[1] ?? []);
  return { topicArn, confirmed: addresses(false), pending: addresses(true) };
}

/** An address that gets no alarms, with the way to confirm it. AWS deletes pending subscriptions after some days. */
export function mailFindings(address: string | undefined, mails: AlarmMails | undefined, region: string): Finding[] {
  if (address === undefined || mails === undefined || mails.confirmed.includes(address)) return [];
  const again = `aws sns subscribe --topic-arn ${mails.topicArn} --protocol email --notification-endpoint ${quoteWord(address)} --region ${region}`;
  const text = `${address} gets no alarms: its subscription is not confirmed. Open the link in AWS's mail. If the link has expired, request another mail: ${again}`;
  return [{ isRefused: false, text }];
}
