/** The data of a page, and the emptied element to render into. @throws Error if cost/page/inlinePage.ts did not write the page */
export function pageData<T>(): { readonly data: T; readonly place: HTMLElement } {
  const place = document.getElementById('page');
  const text = document.getElementById('data')?.textContent;
  if (!place || !text) throw new Error('the page has no #page or no #data');
  place.replaceChildren();
  return { data: JSON.parse(text) as T, place };
}
