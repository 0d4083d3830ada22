// Puts each newer report in place of the one that is shown; part of a page that is served while a campaign goes on.
/* global drawAll */
const state = document.getElementById('state');
const report = document.getElementById('report');
const places = () => [...report.querySelectorAll('a, .scroll')];
const time = () => new Date().toLocaleTimeString();

const source = new EventSource('events');
source.addEventListener('report', ({ data }) => {
  const focused = places().indexOf(document.activeElement);
  const scrolled = places().map((place) => place.scrollLeft);
  report.innerHTML = JSON.parse(data);
  drawAll();
  places().forEach((place, n) => {
    place.scrollLeft = scrolled[n] ?? 0;
  });
  places()[focused]?.focus({ preventScroll: true });
  state.textContent = `The campaign goes on, and this page with it: ${time()}.`;
});
source.addEventListener('over', ({ data }) => {
  source.close();
  state.textContent = JSON.parse(data);
});
source.addEventListener('error', () => {
  state.textContent = `The load test does not answer since ${time()}: what is below is what was seen last.`;
});
