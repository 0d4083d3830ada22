import type { Figures } from '../../model/figures.ts';
import { PRESETS } from '../../model/presets.ts';
import { parseWorkload } from '../../model/workload.ts';
import { type Controls, controlsOf, type problemOf, withStarts } from '../controls.ts';
import { element, place } from './dom.ts';
import { type Field, MAIN_FIELDS, MORE_FIELDS } from './fields.ts';

/** Steps of a slider for each power of ten; with two digits each is another value. */
const STEPS = 40;

/** The controls as they are built: to be set from outside, wholly or in part. */
interface Form {
  readonly set: (controls: Controls) => void;
  readonly change: (part: Partial<Controls>) => void;
}

/**
 * Builds the controls, and calls `changed` with what they say whenever somebody has changed one.
 *
 * @param figures how numbers are written and read
 */
export function buildForm(initial: Controls, figures: Figures, changed: (controls: Controls) => void): Form {
  const state = { ...initial };
  const refreshers: ((controls: Controls) => void)[] = [];
  const set = (controls: Controls) => {
    Object.assign(state, controls);
    for (const refresh of refreshers) refresh(state);
  };
  const change = (part: Partial<Controls>) => {
    set({ ...state, ...withStarts(state, part) });
    changed({ ...state });
  };
  for (const [fields, where] of [
    [MAIN_FIELDS, 'main-fields'],
    [MORE_FIELDS, 'more-fields'],
  ] as const) {
    for (const field of fields) place(where).append(control(field, figures, change, refreshers));
  }
  for (const { title, about, workload } of Object.values(PRESETS)) {
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', () => {
      const { period: _, ...controls } = controlsOf(parseWorkload(workload));
      change(controls);
    });
    place('presets').append(element('li', {}, button, element('span', {}, about)));
  }
  set(initial);
  return { set, change };
}

function control(
  field: Field,
  figures: Figures,
  change: (part: Partial<Controls>) => void,
  refreshers: ((now: Controls) => void)[],
): HTMLElement {
  const { name, label, hint, unit, slider, choices } = field;
  const id = `field-${name}`;
  const described = hint === undefined ? {} : { 'aria-describedby': `${id}-hint` };
  const text = element('label', { for: id }, unit === undefined ? label : `${label} (${unit})`);
  const parts: HTMLElement[] = [text];
  if (choices) {
    const select = element(
      'select',
      { id, ...described },
      ...choices.map(([value, say]) => element('option', { value }, say)),
    );
    select.addEventListener('change', () => change({ [name]: select.value }));
    refreshers.push((now) => {
      const value = String(now[name]);
      const isOffered = [...select.options].some((option) => option.value === value);
      if (!isOffered) select.append(element('option', { value }, 'as you said'));
      select.value = value;
    });
    parts.push(select);
  } else if (name === 'tls' || name === 'accessLogs') {
    const box = element('input', { id, type: 'checkbox' });
    box.addEventListener('change', () => change({ [name]: box.checked }));
    refreshers.push((now) => {
      box.checked = now[name];
    });
    parts.push(box);
  } else {
    // A number field would take no separators between thousands.
    const input = element('input', { id, type: 'text', inputmode: 'decimal', autocomplete: 'off', ...described });
    input.addEventListener('input', () => {
      const value = figures.read(input.value);
      if (value !== undefined) change({ [name]: value });
    });
    // Not before somebody is done: "1," is on the way to "1,000".
    input.addEventListener('change', () => {
      if (figures.read(input.value) === undefined)
        showProblem({ name, text: `it must be a number, such as ${figures.write(1_000)}` });
    });
    refreshers.push((now) => {
      const value = Number(now[name]);
      if (figures.read(input.value) !== value) input.value = figures.write(value);
    });
    parts.push(input);
    if (slider) parts.push(sliderFor(field, slider, figures, change, refreshers));
  }
  if (hint !== undefined) parts.push(element('p', { class: 'hint', id: `${id}-hint` }, hint));
  return element('div', { class: slider ? 'field wide' : 'field' }, ...parts);
}

/** A slider on a logarithmic scale beside its number field, which says the same. */
function sliderFor(
  { name, label, unit = '' }: Field,
  [least, most]: readonly [number, number],
  figures: Figures,
  change: (part: Partial<Controls>) => void,
  refreshers: ((now: Controls) => void)[],
): HTMLElement {
  const steps = Math.round(Math.log10(most / least) * STEPS);
  const input = element('input', {
    type: 'range',
    min: '0',
    max: String(steps),
    step: '1',
    'aria-label': `${label}, slider`,
  });
  const valueHere = () => Number((least * 10 ** (Number(input.value) / STEPS)).toPrecision(2));
  input.addEventListener('input', () => change({ [name]: valueHere() }));
  refreshers.push((now) => {
    const value = Number(now[name]);
    // One that is there already stays: rounding must not take back a step.
    if (valueHere() !== value) input.value = String(Math.round(Math.log10(Math.max(least, value) / least) * STEPS));
    input.setAttribute('aria-valuetext', `${figures.count(value)} ${unit}`.trim());
  });
  return input;
}

/** Says at which field something cannot be, or that all is well. */
export function showProblem(problem: ReturnType<typeof problemOf> | undefined): void {
  const where = place('problem');
  for (const input of document.querySelectorAll('form [aria-invalid]')) input.removeAttribute('aria-invalid');
  where.hidden = problem === undefined;
  const field = problem?.name && document.getElementById(`field-${problem.name}`);
  const label = field ? document.querySelector(`label[for="${field.id}"]`)?.textContent : undefined;
  where.textContent = problem ? [label, problem.text].filter(Boolean).join(': ') : '';
  if (field) field.setAttribute('aria-invalid', 'true');
}
