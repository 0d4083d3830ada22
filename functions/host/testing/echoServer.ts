import { Hono } from 'hono';
import { ClientBudgets } from '../budgets/clientBudgets.ts';
import { listen } from '../server/listen.ts';
import type { OnOpen, Transport } from '../transport/transport.ts';

/** A server that echoes every message with the host's transport. */
export interface EchoServer {
  readonly port: number;
  /** The opened WebSockets. */
  readonly opened: Transport[];
  /** How many of them have closed. */
  closed: number;
  /** How often the network accepted all waiting bytes of one of them. */
  drained: number;
  stop(): void;
}

/** Starts a server on a free port. @param unreadTimeoutMs how long a client may leave messages unread */
export async function startEchoServer(unreadTimeoutMs = 30_000): Promise<EchoServer> {
  const opened: Transport[] = [];
  const echo: EchoServer = { port: 0, opened, closed: 0, drained: 0, stop: () => {} };
  const onOpen: OnOpen = (socket) => {
    opened.push(socket);
    return {
      onMessage: (text) => socket.send(text),
      onControl: () => {},
      onDrain: () => {
        echo.drained++;
      },
      onClose: () => {
        echo.closed++;
      },
    };
  };
  const config = {
    host: '127.0.0.1',
    port: 0,
    reusePort: false,
    compressMessages: true,
    headersTimeoutMs: 10_000,
    unreadTimeoutMs,
  };
  const { port, close, endAll } = await listen({
    config,
    portSetting: 'PORT',
    app: new Hono(),
    onOpen,
    budgets: unlimitedBudgets(),
    isUnavailable: () => false,
    onFailed: () => {},
  });
  const stop = () => {
    close();
    endAll();
    for (const each of opened) each.terminate();
  };
  return Object.assign(echo, { port, stop });
}

/** Budgets that refuse nobody. */
export function unlimitedBudgets(): ClientBudgets {
  const config = { maxMessagesPerSecond: 20, budgetsPerAddress: 0, trustedProxies: 0 };
  return new ClientBudgets(
    config,
    Number.POSITIVE_INFINITY,
    () => 0,
    () => {},
  );
}
