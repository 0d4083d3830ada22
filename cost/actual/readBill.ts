import type { GetCostAndUsageCommandInput } from '@aws-sdk/client-cost-explorer';
import type { TimeSpan } from './timeSpan.ts';

/** What of Cost Explorer's client is used. */
type BillReader = (input: GetCostAndUsageCommandInput) => Promise<{
  readonly ResultsByTime?:
    | readonly { readonly Total?: Readonly<Record<string, { readonly Amount?: string | undefined }>> | undefined }[]
    | undefined;
}>;

/** What AWS has billed, or why that is unavailable. */
export type BillResult =
  | { readonly usd: number; readonly from: string; readonly to: string }
  | { readonly reason: string };

/** Reads what Cost Explorer knows of a deployment's tags, in whole days of UTC. It knows of a day some hours after its end. */
export async function readBill(
  read: BillReader,
  tags: { readonly app: string; readonly stage: string },
  { from, to }: TimeSpan,
): Promise<BillResult> {
  const Start = formatDay(from);
  const End = formatDay(new Date(to.getTime() + 86_400_000 - 1));
  const tag = (Key: string, value: string) => ({ Tags: { Key, Values: [value], MatchOptions: ['EQUALS' as const] } });
  try {
    const { ResultsByTime = [] } = await read({
      TimePeriod: { Start, End },
      Granularity: 'DAILY',
      Metrics: ['UnblendedCost'],
      Filter: { And: [tag('app', tags.app), tag('stage', tags.stage)] },
    });
    const usd = ResultsByTime.reduce((sum, { Total }) => sum + Number(Total?.['UnblendedCost']?.Amount ?? 0), 0);
    if (usd === 0)
      return { reason: 'it has nothing for the tags app and stage: activate them as cost allocation tags' };
    return { usd, from: Start, to: End };
  } catch (error) {
    return { reason: `${(error as Error).name}: ${(error as Error).message}` };
  }
}

function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}
