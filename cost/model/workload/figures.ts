/** The periods that costs are shown for. */
export const PERIODS = { month: 1, year: 12 } as const;

/** One of {@link PERIODS}. */
export type Period = keyof typeof PERIODS;

/** How figures are written and read: in the format of a locale, and costs for a month or a year. Prices are US dollars everywhere. */
export type Figures = ReturnType<typeof figuresIn>;

/** Figures in the format of a locale. @param locale as browsers name it: en-US, de, fr-CH */
export function figuresIn(locale: string, period: Period = 'month') {
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
  /** A month's cost, for the period. */
  const cost = (usdAMonth: number) => money(usdAMonth * PERIODS[period]);
  return {
    period,
    money,
    cost,
    /** The same in whole dollars from $1 up, with its period. */
    rounded: (usdAMonth: number) => {
      const usd = usdAMonth * PERIODS[period];
      return `${usd >= 1 ? dollars(usd, exactly(0)) : money(usd)}/${period}`;
    },
    /** The range of a month's cost: without an upper end where the worst assumptions rule it out, a dash where all do. */
    range: ({ low, high }: { readonly low: number; readonly high: number }) => {
      if (!Number.isFinite(low)) return '–';
      return Number.isFinite(high) ? `${cost(low)} – ${cost(high)}` : `${cost(low)}, or ruled out`;
    },
    /** A number of things, without a fraction where it is large. */
    count: (value: number) => value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }),
    /** A part of a whole, in percent. */
    share: (part: number) => `${(part * 100).toLocaleString(locale, exactly(part < 0.1 ? 1 : 0))} %`,
    /** A number for an input field, with all its digits. */
    write: (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 10 }),
    read: readerIn(locale),
  };
}

/** Figures of the terminal and the documents. */
export const ENGLISH = figuresIn('en');
export const { money, range, count, share } = ENGLISH;

/** A number of things, as whole ones. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Separators of thousands that any locale accepts. */
const SPACES = /[\s'’\u00A0\u202F]/g;

/** Reads the number that a user typed, with separators between thousands or without. The reader returns undefined for what is no number. */
function readerIn(locale: string) {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12_345.6);
  const sign = (type: string, usual: string) => parts.find((part) => part.type === type)?.value ?? usual;
  const [group, point] = [sign('group', ','), sign('decimal', '.')];
  const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // In India thousands are followed by groups of two.
  const grouped = new RegExp(`^-?\\d{1,3}(${quoted(group)}\\d{2,3})*${quoted(group)}\\d{3}(${quoted(point)}\\d+)?$`);
  return (text: string): number | undefined => {
    const bare = text.trim().replace(SPACES, '');
    const digits = grouped.test(bare) ? bare.replaceAll(group, '') : bare;
    const value = Number(digits.replace(point, '.'));
    return digits === '' || Number.isNaN(value) ? undefined : value;
  };
}
