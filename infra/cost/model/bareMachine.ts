import { unitPrice } from '../priceSheet.ts';
import { priceSheetOf, type Region } from '../sheets.ts';
import { HOST_DISK_GB } from './serviceFacts.ts';
import { MONTH_HOURS } from './workload.ts';

/**
 * US dollars a month of the least machine that could serve a few: a t4g.nano with its address and disk, without alarms, metrics, a
 * dashboard or a second one. Its reads of the table and data out come on top.
 */
export function bareMachineUsd(region: Region): number {
  const sheet = priceSheetOf(region);
  return (
    MONTH_HOURS * (unitPrice(sheet, 't4gNanoHour') + unitPrice(sheet, 'publicIpv4Hour')) +
    HOST_DISK_GB * unitPrice(sheet, 'diskGb')
  );
}
