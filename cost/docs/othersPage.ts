import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Range } from '../assumptions/rangesOf.ts';
import { rangesOf } from '../assumptions/rangesOf.ts';
import type { Assumptions } from '../model/assumptions.ts';
import { PRESETS } from '../model/presets.ts';
import { parseWorkload } from '../model/workload.ts';
import { compareOthers, costInWords, type OtherCost, priceInWords, SDKS_NAMES } from '../others/compareOthers.ts';
import type { OtherPrice } from '../others/others.ts';

/** docs/cost-others.md: what one might choose in place of what we deploy, for every preset. */
export function othersPage(all: Readonly<Record<keyof Assumptions, Range>>): string {
  const presets = Object.values(PRESETS);
  const columns = presets.map(({ workload }) => compareOthers(parseWorkload(workload), rangesOf(all).expected));
  const [first = []] = columns;
  return `<!-- Written by \`npm run cost:docs\`; a test holds it to the model. -->

# What others would pick

What one might choose in place of what Flagwire deploys, at the loads of \`npm run cost\`, in US dollars a month at list prices without tax.
\`npm run cost\` and its page work them out for any load. [cost.md](cost.md) has our own ways beside each other.

${markdownTable(
  ['', 'FeatBit’s SDKs unmodified', ...presets.map(({ title }) => title)],
  first.map(({ name, sdks }, row) => [
    `**${name}**`,
    SDKS_NAMES[sdks],
    ...columns.map((costs) => {
      const cost = costs[row];
      return cost ? costInWords(cost) : '–';
    }),
  ]),
)}

“About” leaves out what is named below; “at least” has a part besides that grows with users or seats, which the load does not tell; what could not be
confirmed stays blank. Services that are polled are counted with a request a minute from each connection, so that changes arrive within a minute. What
a machine’s processor can do was measured on another one, so the rows of machines promise no more than the connections that the benchmark of the host held.

## What each means, and its prices

${first.map(entry).join('\n')}

The dates are when the page was read. Where a second link stands beside it, it was read in that dated copy. Prices of AWS are those of us-east-1.
`;
}

function entry({ name, fit, leftOut, prices }: OtherCost): string {
  const without = leftOut === undefined ? '' : ` Left out: ${leftOut}.`;
  const list = prices.length > 0 ? prices.map(readFrom) : ['those of our own HTTP API, in `cost/prices`'];
  return [`- **${name}**: ${fit}${without}`, ...list.map((each) => `  - ${each}`)].join('\n');
}

function readFrom(price: OtherPrice): string {
  const { text, source, asOf } = priceInWords(price, 'us-east-1');
  const via = 'via' in price && price.via ? `, [copy](${price.via})` : '';
  return `${text} ([${new URL(source).hostname}](${source})${via}, ${asOf})`;
}
