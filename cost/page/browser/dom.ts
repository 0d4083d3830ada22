/** Attributes and children of an element; text is text, never markup. */
type Child = Node | string;

/** Makes an element. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, '');
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/** The place in the page with an id. @throws Error when the page has none */
export function place(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** A table with a heading for every column and row, in a box that scrolls by itself where it is narrow. */
export function tableOf(caption: string, head: readonly string[], rows: readonly (readonly Child[])[]): HTMLElement {
  const headings = head.map((text) => element('th', { scope: 'col' }, text));
  const body = rows.map(([first = '', ...others]) =>
    element('tr', {}, element('th', { scope: 'row' }, first), ...others.map((child) => element('td', {}, child))),
  );
  const table = element(
    'table',
    {},
    element('caption', {}, caption),
    element('thead', {}, element('tr', {}, ...headings)),
    element('tbody', {}, ...body),
  );
  return element('div', { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption }, table);
}
