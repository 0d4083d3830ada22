/** A part of a whole, in percent with two digits. */
export function percent(part: number): string {
  return `${Number((part * 100).toPrecision(2))} %`;
}

/** Three digits, as many as these figures are good for; a dash for what was not measured. */
export function figure(value: number): string {
  return Number.isFinite(value) ? Number(value.toPrecision(3)).toLocaleString('en') : '–';
}
