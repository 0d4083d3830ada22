/**
 * What a page was written with, and the place to render into, which is emptied.
 *
 * @throws Error on a page that cost/page/inlinePage.ts did not write
 */
export function pageData<T>(): { readonly data: T; readonly place: HTMLElement } {
  const place = document.getElementById('page');
  const text = document.getElementById('data')?.textContent;
  if (!place || !text) throw new Error('the page has no #page or no #data');
  place.replaceChildren();
  return { data: JSON.parse(text) as T, place };
}
