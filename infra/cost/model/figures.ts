/** US dollars: to the cent, or to two digits where it is less; a dash where there is no number. */
export function money(usd: number): string {
  if (usd === 0) return '$0';
  if (!Number.isFinite(usd)) return '–';
  if (usd < 0.01) return `$${Number(usd.toPrecision(2))}`;
  const digits = usd >= 10_000 ? 0 : 2;
  return `$${usd.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

/** Between what a cost lies; without an upper end where it cannot be done if everything is against it, a dash where it never can. */
export function range({ low, high }: { readonly low: number; readonly high: number }): string {
  if (!Number.isFinite(low)) return '–';
  return Number.isFinite(high) ? `${money(low)} – ${money(high)}` : `${money(low)}, or not at all`;
}

/** A number of things, without a fraction where it is large. */
export function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });
}

/** A part of a whole, in percent. */
export function share(part: number): string {
  return `${(part * 100).toFixed(part < 0.1 ? 1 : 0)} %`;
}
