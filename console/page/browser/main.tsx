import { render } from 'preact';
import { isStartingOver } from './api/signIn.ts';
import { App } from './layout/app.tsx';
import { hasDrafts } from './state/drafts.ts';
import { start } from './state/session.ts';

const place = document.getElementById('page');
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
void start();

addEventListener('beforeunload', (event) => {
  if (hasDrafts() && !isStartingOver.value) event.preventDefault();
});
