import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

/** How a server answered a request to open a WebSocket. */
interface Handshake {
  /** 101 when it was opened; it is closed again at once. */
  readonly status: number;
  /** What came beside a refusal. */
  readonly body: string;
  /** From the request's beginning, name look-up and TLS included, to the answer. */
  readonly milliseconds: number;
}

/** Asks to open a WebSocket, and looks at nothing but the answer. @throws when there is none within ten seconds */
export function handshake(url: string): Promise<Handshake> {
  const secure = url.startsWith('wss:');
  const started = performance.now();
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
  return new Promise((resolve, reject) => {
    const options = { headers, agent: false, timeout: 10_000 };
    const request = (secure ? https : http).request(url.replace(/^ws/, 'http'), options);
    const elapsed = () => performance.now() - started;
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve({ status: 101, body: '', milliseconds: elapsed() });
    });
    request.on('response', async (response) => {
      const milliseconds = elapsed();
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body, milliseconds });
    });
    request.on('timeout', () => request.destroy(new Error('no answer within ten seconds')));
    request.on('error', reject);
    request.end();
  });
}
