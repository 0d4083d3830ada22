import { parseUser } from '../../shared/flags/user.ts';
import { rightAnswer } from './benchmarkEnvironment.ts';

/** The faults of a server, by the number of the connection. Times are in milliseconds of the test clock. */
export interface Behaviour {
  /** Until a data-sync is answered; never, where it is undefined. */
  readonly syncMs?: (connection: number) => number | undefined;
  /** The change to the correct reply. */
  readonly answer?: (right: string, connection: number) => string;
  /** Until a message is answered; never, where it is undefined. */
  readonly replyMs?: () => number | undefined;
}

/** A server without a network, on whatever clock the test has. */
export class FakeServer {
  readonly #behaviour: Behaviour;
  readonly sockets: SimulatedSocket[] = [];

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
  }

  connect(): SimulatedSocket {
    const number = this.sockets.length;
    const socket = new SimulatedSocket((text) => this.#take(text, socket, number));
    this.sockets.push(socket);
    return socket;
  }

  #take(text: string, socket: SimulatedSocket, number: number): void {
    const { syncMs = () => 1, answer = (right) => right, replyMs = () => 1 } = this.#behaviour;
    const { messageType, data } = JSON.parse(text);
    if (messageType === 'data-sync') {
      const user = parseUser(data.user);
      if (user) later(syncMs(number), () => socket.receive(answer(rightAnswer(user), number)));
    } else later(replyMs(), () => socket.receive(messageType === 'ping' ? '{"messageType":"pong","data":{}}' : text));
  }
}

/** The client's side of it. */
class SimulatedSocket {
  readonly sent: string[] = [];
  readonly #listeners = new Map<string, (argument: never) => void>();
  readonly #onSent: (text: string) => void;

  constructor(onSent: (text: string) => void) {
    this.#onSent = onSent;
  }

  send(text: string): void {
    this.sent.push(text);
    this.#onSent(text);
  }

  on(event: string, listener: (argument: never) => void): void {
    this.#listeners.set(event, listener);
  }

  removeAllListeners(event: string): void {
    this.#listeners.delete(event);
  }

  receive(text: string): void {
    this.#listeners.get('message')?.(text as never);
  }

  /** @param code 1005 is a close without one, which is how a client leaves */
  close(code = 1005): void {
    this.#listeners.get('close')?.(code as never);
  }
}

function later(ms: number | undefined, step: () => void): void {
  if (ms !== undefined) setTimeout(step, ms);
}
