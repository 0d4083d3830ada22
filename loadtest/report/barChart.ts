import { beginSvg, type Colours, MUTED, text } from './svgChart.ts';

/** A bar: its subject, its name, its length, and its figure. */
export interface Bar {
  readonly of: string;
  readonly name: string;
  readonly value: number;
  readonly figure: string;
}

/** Pixels. A phone shows text of 15 px with 11 px. */
const WIDTH = 480;
const BOX = { left: 160, top: 34, right: 420 };
const HEIGHT = { row: 32, bar: 20 };

/** Draws horizontal bars in an SVG image for light and dark pages. @param colours of subjects; others are gray */
export function barChart(title: string, bars: readonly Bar[], colours: Colours): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const rows = bars.flatMap(({ of, name, value, figure }, n) => {
    const top = BOX.top + HEIGHT.row * n;
    const length = Math.round((value / most) * (BOX.right - BOX.left));
    return [
      text(BOX.left - 8, top + 15, name, 'text-anchor="end"'),
      `<rect x="${BOX.left}" y="${top}" width="${length}" height="${HEIGHT.bar}" fill="${colours[of] ?? MUTED}"/>`,
      text(BOX.left + length + 8, top + 15, figure),
    ];
  });
  return [...beginSvg(WIDTH, BOX.top + HEIGHT.row * bars.length, title), ...rows, '</svg>\n'].join('\n');
}
