import type { Change } from '../shared/evaluation/documentChanges.ts';

/** How many characters of a value are shown: a list of users has thousands. */
const SHOWN_CHARACTERS = 200;

/** A change as one line: `Switch: off → on`. Long values are cut. */
export function changeText({ label, before, after }: Change): string {
  return `${label}: ${shownValue(before)} → ${shownValue(after)}`;
}

function shownValue(text: string | undefined): string {
  if (!text) return 'none';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
