import { WebSocket } from 'ws';

/** A WebSocket client that keeps what it receives. */
interface SocketClient {
  readonly socket: WebSocket;
  readonly messages: readonly string[];
  /** Resolves with code and reason, such as `1001 restart`. */
  readonly closed: Promise<string>;
  /** Rejects when the handshake is refused; the message has the status. */
  readonly opened: Promise<void>;
}

/** Connects to a host. Runs on Node and Bun. */
export function connectClient(url: string): SocketClient {
  const socket = new WebSocket(url);
  const messages: string[] = [];
  socket.on('message', (data) => messages.push(String(data)));
  const closed = new Promise<string>((resolve) => socket.on('close', (code, reason) => resolve(`${code} ${reason}`)));
  const opened = new Promise<void>((resolve, reject) => {
    socket.on('open', () => resolve());
    socket.on('error', reject);
  });
  opened.catch(() => {});
  return { socket, messages, closed, opened };
}
