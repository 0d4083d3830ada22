import { mailTopicName } from '../../../infra/config/deploymentName.ts';
import { regionOf } from '../../../infra/preflight/account.ts';
import { ALARM_MAILS_ACTION, readAlarmMails } from '../../../infra/preflight/alarmMails.ts';
import { readIdentity } from '../../../infra/preflight/callerIdentity.ts';
import type { Observation } from './observation.ts';

/**
 * Recipients of alarms by mail. Skipped for a deployment without mails, or without `npm run deploy`.
 *
 * @param table name of the flags table, which begins with the name of the deployment
 */
export function alarmMails(table: string): Observation {
  return {
    question: 'who gets alarms by mail',
    look: async () => {
      const [, deployment] = /^(.+)-Data-/.exec(table) ?? [];
      const region = await regionOf(process.env);
      if (deployment === undefined || region === undefined) return undefined;
      try {
        const { account } = await readIdentity(region);
        const mails = await readAlarmMails({ account, region }, mailTopicName({ deployment, name: '', stage: '' }));
        if (mails === undefined) return undefined;
        const { confirmed, pending } = mails;
        const answer = [...confirmed, ...pending.map((each) => `${each} (not confirmed)`)].join(', ') || 'nobody';
        return { answer, isPromised: confirmed.length > 0 && pending.length === 0 };
      } catch (error) {
        return { answer: `not read (${(error as Error).name}); it takes ${ALARM_MAILS_ACTION}` };
      }
    },
  };
}
