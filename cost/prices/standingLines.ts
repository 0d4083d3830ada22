import { type Line, standing } from './bill.ts';
import { DASHBOARDS, QUEUE_POLLS_A_DAY } from './serviceFacts.ts';
import { MONTH_HOURS } from './tiers.ts';

/** What the serverless stack costs a month without any use: its alarms and both dashboards. @param alarms metrics of its alarms */
export function standingLines(alarms: number, lean: boolean): Line[] {
  return [
    standing('alarm', 'alarms', alarms),
    standing('smallDashboard', 'dashboard', DASHBOARDS),
    standing(lean ? 'smallDashboard' : 'dashboard', 'cost dashboard', DASHBOARDS),
  ];
}

/** Lambda's polls of the queues in a month, which nobody uses. */
export function queuePolls(): Line {
  return standing('queueRequest', 'polls of the queues', (QUEUE_POLLS_A_DAY * MONTH_HOURS) / 24);
}
