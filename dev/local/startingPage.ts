import { API_PATH } from '../../console/api.ts';
import type { ErrorAnswer } from '../../console/errors.ts';
import { type OwnRequests, pathOf } from '../emulator/listen.ts';
import { ownPageOf, sendPage } from './ownPages.ts';

const STATUS = 503;

/** Reloads once the address answers with something else. The fragment, with the console's token, stays. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Flagwire is starting</title>
<link rel="icon" href="data:,">
<style>:root { color-scheme: light dark; font: 1.25rem system-ui, sans-serif; } main { margin: 20vh auto; text-align: center; }</style>
</head>
<body>
<main><h1>Flagwire is starting…</h1><p>This page reloads when it is ready.</p></main>
<script>
const poll = async () => {
  const { status } = await fetch('', { headers: { accept: 'text/html' } }).catch(() => ({ status: ${STATUS} }));
  if (status === ${STATUS}) setTimeout(poll, 300);
  else location.reload();
};
setTimeout(poll, 300);
</script>
</body>
</html>
`;

const ANSWER: ErrorAnswer = {
  error: { code: 'table-unavailable', message: 'Flagwire is starting. Try again in a moment.' },
};

/** Answers requests for the console and for `/try` until these are ready. */
export const answerStarting: OwnRequests = (request, response) => {
  if (ownPageOf(request) === undefined) return false;
  response.setHeader('Retry-After', '1');
  if (pathOf(request).startsWith(API_PATH)) {
    response.writeHead(STATUS, { 'Content-Type': 'application/json' }).end(JSON.stringify(ANSWER));
  } else {
    sendPage(response, STATUS, PAGE, { connect: ["'self'"] });
  }
  return true;
};
