import type { Series } from './document.ts';

/** Height of a line of text of 15 px, and the width of a character in a wide font. */
export const LINE_HEIGHT = 18;
const CHARACTER = 8.4;
const LABEL_CHARACTERS = 20;
const GAP = 6;

/** A place in a chart, in pixels. */
export type Place = readonly [x: number, y: number];

/** The text next to the end of a line. */
export interface Label {
  readonly texts: readonly string[];
  readonly height: number;
}

/** The label of a series: its name and figures, in lines of about 20 characters. */
export function makeLabel({ name, rest }: Series): Label {
  const label = rest ? `${name}: ${rest}` : name;
  const texts: string[] = [];
  // A figure stays with the word before it and with its unit.
  for (const word of label.split(/ (?!\d|ms$)/)) {
    const last = texts.at(-1);
    if (last === undefined || last.length + 1 + word.length > LABEL_CHARACTERS) texts.push(word);
    else texts[texts.length - 1] = `${last} ${word}`;
  }
  return { texts, height: LINE_HEIGHT * texts.length + GAP };
}

export function textWidth(texts: readonly string[]): number {
  return CHARACTER * Math.max(0, ...texts.map(({ length }) => length));
}

/** Tops of labels between two heights, each as near to the end of its line as the others allow. */
export function placeLabels(labels: readonly Label[], ends: readonly number[], from: number, to: number): number[] {
  const all = labels.map(({ height }, n) => ({ n, height, top: (ends[n] ?? to) - height / 2 }));
  const sorted = all.toSorted((a, b) => a.top + a.height / 2 - b.top - b.height / 2);
  let free = from;
  for (const each of sorted) {
    each.top = Math.max(free, each.top);
    free = each.top + each.height;
  }
  let limit = to;
  for (const each of sorted.toReversed()) limit = each.top = Math.min(each.top, limit - each.height);
  return all.map(({ top }) => Math.round(top));
}

/** The first place at which no line crosses a name, or else the first. @param lines drawn ones */
export function freePlace(name: string, places: readonly Place[], lines: readonly (readonly Place[])[]): Place {
  const ink = lines.flatMap(pointsOn);
  const width = textWidth([name]);
  const isFree = ([left, base]: Place) =>
    !ink.some(([x, y]) => x > left - 4 && x < left + width + 4 && y > base - 15 && y < base + GAP);
  return places.find(isFree) ?? places[0] ?? [0, 0];
}

/** Points of a line, 3 px apart. */
function pointsOn(line: readonly Place[]): Place[] {
  return line.flatMap(([toX, toY], n) => {
    const [fromX, fromY] = line[n - 1] ?? [toX, toY];
    const steps = Math.ceil(Math.hypot(toX - fromX, toY - fromY) / 3) || 1;
    return Array.from({ length: steps }, (_, step): Place => {
      const share = (step + 1) / steps;
      return [fromX + share * (toX - fromX), fromY + share * (toY - fromY)];
    });
  });
}

/** Places for the name of a level, above and below it. */
export function placesAlong(name: string, y: number, from: number, to: number): Place[] {
  const room = Math.max(0, to - from - 2 * GAP - textWidth([name]));
  return [y - GAP, y + 16].flatMap((base) =>
    [0, 0.25, 0.5, 0.75, 1].map((share): Place => [Math.round(from + GAP + share * room), base]),
  );
}

/** Places for the name of a point. */
export function placesAround(name: string, [x, y]: Place): Place[] {
  return [y - 10, y + 22].flatMap((base): Place[] => [
    [Math.round(x - 8 - textWidth([name])), base],
    [x + 8, base],
  ]);
}
