import { ARCHITECTURES, type Architecture } from '../../model/compare.ts';
import type { Figures } from '../../model/figures.ts';
import { LEVER_NAMES, LEVERS, type Lever, type LeverName } from '../../model/levers.ts';
import type { CostReport } from '../../model/report.ts';
import { element, place, tableOf } from './dom.ts';

/** Less than this, in US dollars a month, is nothing saved. */
const LEAST_SAVED = 0.005;

const COLUMNS = Object.keys(ARCHITECTURES) as Architecture[];

/**
 * Builds a switch for each lever, once, so that who switches by the keyboard stays there.
 *
 * @param switched with those that are on
 * @returns a function that shows what each saves
 */
export function buildLevers(switched: (on: LeverName[]) => void): (report: CostReport, say: Figures) => void {
  const boxes = LEVER_NAMES.map((name) => ({ name, box: element('input', { type: 'checkbox', id: `lever-${name}` }) }));
  const cells = new Map<string, HTMLElement>();
  const row = (key: string) =>
    COLUMNS.map((each) => {
      const cell = element('span');
      cells.set(`${key} ${each}`, cell);
      return cell;
    });
  for (const { box } of boxes)
    box.addEventListener('change', () => switched(boxes.filter(({ box }) => box.checked).map(({ name }) => name)));
  const rows = boxes.map(({ name, box }) => {
    const { name: what, price }: Lever = LEVERS[name];
    const label = element('label', {}, box, element('span', {}, price ? `${what}; for that ${price}` : what));
    return [label, ...row(name)];
  });
  const head = ['switch', ...Object.values(ARCHITECTURES)];
  place('levers').replaceChildren(tableOf('US dollars less', head, [...rows, ['all that are on', ...row('all')]]));

  return ({ levers, savedTogether }, say) => {
    const show = (key: string, saved: Readonly<Record<Architecture, number>>) => {
      for (const each of COLUMNS) {
        const cell = cells.get(`${key} ${each}`);
        if (cell) cell.textContent = saved[each] > LEAST_SAVED ? say.cost(saved[each]) : '–';
      }
    };
    for (const { lever, isOn, saved } of levers) {
      const { box } = boxes.find(({ name }) => name === lever) ?? {};
      if (box) box.checked = isOn;
      show(lever, saved);
    }
    show('all', savedTogether);
    const caption = place('levers').querySelector('caption');
    if (caption) caption.textContent = `US dollars less a ${say.period}`;
  };
}
