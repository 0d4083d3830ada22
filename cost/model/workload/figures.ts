/** The periods that costs are shown for. */
export const PERIODS = { month: 1, year: 12 } as const;

/** One of {@link PERIODS}. */
export type Period = keyof typeof PERIODS;

/** How figures are written and read: in the format of a locale, and costs for a month or a year. Prices are US dollars everywhere. */
export interface Figures {
  readonly period: Period;
  /** US dollars: to the cent, or to two digits where it is less; a dash where there is no number. */
  readonly money: (usd: number) => string;
  /** A month's cost, for the period. */
  readonly cost: (usdAMonth: number) => string;
  /** The same in whole dollars from $1 up, with its period. */
  readonly rounded: (usdAMonth: number) => string;
  /** The range of a month's cost: without an upper end where the worst assumptions rule it out, a dash where all do. */
  readonly range: (usdAMonth: { readonly low: number; readonly high: number }) => string;
  /** A number of things, without a fraction where it is large. */
  readonly count: (value: number) => string;
  /** A part of a whole, in percent. */
  readonly share: (part: number) => string;
  /** A number for an input field, with all its digits. */
  readonly write: (value: number) => string;
  /** The number that a user typed, with separators between thousands or without; undefined for what is no number. */
  readonly read: (text: string) => number | undefined;
}

/** Figures in the format of a locale. @param locale as browsers name it: en-US, de, fr-CH */
export function figuresIn(locale: string, period: Period = 'month'): Figures {
  const dollars = (usd: number, digits: Intl.NumberFormatOptions) =>
    usd.toLocaleString(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...digits });
  const exactly = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });
  const money = (usd: number) => {
    if (!Number.isFinite(usd)) return '–';
    if (usd === 0) return dollars(0, exactly(0));
    if (usd < 0.01) return dollars(usd, { maximumSignificantDigits: 2 });
    return dollars(usd, exactly(usd >= 10_000 ? 0 : 2));
  };
  const cost = (usdAMonth: number) => money(usdAMonth * PERIODS[period]);
  const fixed = (value: number, digits: number) => value.toLocaleString(locale, exactly(digits));
  return {
    period,
    money,
    cost,
    rounded: (usdAMonth) => {
      const usd = usdAMonth * PERIODS[period];
      return `${usd >= 1 ? dollars(usd, exactly(0)) : money(usd)}/${period}`;
    },
    range: ({ low, high }) => {
      if (!Number.isFinite(low)) return '–';
      return Number.isFinite(high) ? `${cost(low)} – ${cost(high)}` : `${cost(low)}, or ruled out`;
    },
    count: (value) => value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }),
    share: (part) => `${fixed(part * 100, part < 0.1 ? 1 : 0)} %`,
    write: (value) => value.toLocaleString(locale, { maximumFractionDigits: 10 }),
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

function readerIn(locale: string): Figures['read'] {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true }).formatToParts(12_345.6);
  const sign = (type: string, usual: string) => parts.find((part) => part.type === type)?.value ?? usual;
  const [group, point] = [sign('group', ','), sign('decimal', '.')];
  const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // In India thousands are followed by groups of two.
  const grouped = new RegExp(`^-?\\d{1,3}(${quoted(group)}\\d{2,3})*${quoted(group)}\\d{3}(${quoted(point)}\\d+)?$`);
  return (text) => {
    const bare = text.trim().replace(SPACES, '');
    const digits = grouped.test(bare) ? bare.replaceAll(group, '') : bare;
    const value = Number(digits.replace(point, '.'));
    return digits === '' || Number.isNaN(value) ? undefined : value;
  };
}
