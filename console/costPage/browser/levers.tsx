import { ARCHITECTURES, type Architecture } from '../../../cost/model/report/compare.ts';
import { LEVERS, type Lever, type LeverName } from '../../../cost/model/report/levers.ts';
import type { CostReport } from '../../../cost/model/report/report.ts';
import type { Figures } from '../../../cost/model/workload/figures.ts';
import { DataTable } from '../../ui/dataTable.tsx';

/** Savings below this, in US dollars a month, are not shown. */
const LEAST_SAVED = 0.005;

const COLUMNS = Object.keys(ARCHITECTURES) as Architecture[];

interface LeverTableProps {
  readonly report: CostReport;
  readonly figures: Figures;
  readonly onSwitch: (on: LeverName[]) => void;
}

/** A switch for each lever, with what it saves. */
export function LeverTable({ report: { levers, savedTogether }, figures, onSwitch }: LeverTableProps) {
  const cells = (saved: Readonly<Record<Architecture, number>>) =>
    COLUMNS.map((each) => (saved[each] > LEAST_SAVED ? figures.cost(saved[each]) : '–'));
  const on = levers.filter(({ isOn }) => isOn).map(({ lever }) => lever);
  const rows = levers.map(({ lever, isOn, saved }) => {
    const { name, tradeOff }: Lever = LEVERS[lever];
    const toggle = () => onSwitch(isOn ? on.filter((each) => each !== lever) : [...on, lever]);
    return [
      <label key={lever} class="lever">
        <input type="checkbox" id={`lever-${lever}`} checked={isOn} onChange={toggle} />
        <span>{tradeOff ? `${name}. Trade-off: ${tradeOff}` : name}</span>
      </label>,
      ...cells(saved),
    ];
  });
  return (
    <DataTable
      caption={`US dollars saved a ${figures.period}`}
      head={['setting', ...Object.values(ARCHITECTURES)]}
      rows={[...rows, ['all selected', ...cells(savedTogether)]]}
    />
  );
}
