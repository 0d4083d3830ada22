/** How figures are written: in the format of a locale. Prices are US dollars everywhere, and costs are of a month. */
export type Figures = ReturnType<typeof figuresIn>;

/** Figures in the format of a locale. @param locale as browsers name it: en-US, de, fr-CH */
export function figuresIn(locale: string) {
  const dollars = (usd: number, digits: Intl.NumberFormatOptions) =>
    usd.toLocaleString(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...digits });
  const exactly = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });
  /** US dollars: to the cent, or to two digits where it is less; a dash where there is no number. */
  const money = (usd: number) => {
    if (!Number.isFinite(usd)) return '–';
    if (usd === 0) return dollars(0, exactly(0));
    if (usd < 0.01) return dollars(usd, { maximumSignificantDigits: 2 });
    return dollars(usd, exactly(usd >= 10_000 ? 0 : 2));
  };
  return {
    money,
    /** A month's cost in whole dollars from $1 up. */
    rounded: (usd: number) => `${usd >= 1 ? dollars(usd, exactly(0)) : money(usd)}/month`,
    /** The range of a month's cost: without an upper end where the worst assumptions rule it out, a dash where all do. */
    range: ({ low, high }: { readonly low: number; readonly high: number }) => {
      if (!Number.isFinite(low)) return '–';
      return Number.isFinite(high) ? `${money(low)} – ${money(high)}` : `${money(low)}, or ruled out`;
    },
    /** A number of things, without a fraction where it is large. */
    count: (value: number) => value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }),
    /** A part of a whole, in percent. */
    share: (part: number) => `${(part * 100).toLocaleString(locale, exactly(part < 0.1 ? 1 : 0))} %`,
  };
}

/** Figures of the terminal and the documents. */
export const ENGLISH = figuresIn('en');
export const { money, range, count, share } = ENGLISH;

/** A number of things, as whole ones. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
