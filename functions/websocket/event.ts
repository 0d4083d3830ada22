/** What the connect authorizer knows of a connection. API Gateway adds it to every later message. */
export interface ConnectionContext {
  readonly envId?: string | undefined;
  readonly type?: string | undefined;
  readonly secretId?: string | undefined;
  /** For a relay's connection, instead of `envId`: the ids of its environments, separated by commas. */
  readonly envIds?: string | undefined;
  /** `PatchContents`, derived from the SDK's User-Agent at the handshake. */
  readonly patchContents?: string | undefined;
}

/** The used part of API Gateway's WebSocket events (routes and `$disconnect`). */
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

/** The result of a route. API Gateway sends its body to the SDK if the route has a response. */
export interface WebSocketResult {
  readonly statusCode: 200;
  readonly body?: string;
}

/** Sends no message. */
export const NO_ANSWER: WebSocketResult = { statusCode: 200 };
