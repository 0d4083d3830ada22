/** What the connect authorizer found out about a connection; it comes with every later message. */
export interface ConnectionContext {
  readonly envId?: string | undefined;
  readonly type?: string | undefined;
  readonly secretId?: string | undefined;
  /** Of a relay's connection, in place of `envId`: the ids of its environments with commas between. */
  readonly envIds?: string | undefined;
  /** `PatchContents`, by what the SDK called itself when it connected. */
  readonly patchContents?: string | undefined;
}

/** The part of API Gateway's WebSocket events that the handlers use (route and `$disconnect` events). */
export interface WebSocketEvent {
  readonly body?: string;
  readonly requestContext: {
    readonly connectionId: string;
    readonly routeKey: string;
    /** When API Gateway received the message, unix milliseconds. */
    readonly requestTimeEpoch: number;
    /** When the connection was opened, unix milliseconds. */
    readonly connectedAt?: number;
    readonly authorizer?: ConnectionContext;
  };
}

/** The result of a route: its body is sent to the SDK where the route has a response. */
export interface WebSocketResult {
  readonly statusCode: 200;
  readonly body?: string;
}

/** No message is sent. */
export const NO_ANSWER: WebSocketResult = { statusCode: 200 };
