/** What of API Gateway's WebSocket events the handlers use (route and `$disconnect` events alike). */
export interface WebSocketEvent {
  readonly body?: string;
  readonly requestContext: {
    readonly connectionId: string;
    readonly routeKey: string;
    /** When API Gateway received the message, unix milliseconds. */
    readonly requestTimeEpoch: number;
    /** When the connection was opened, unix milliseconds. */
    readonly connectedAt?: number;
    /** What the connect authorizer found out; its values arrive with every later message. */
    readonly authorizer?: { readonly envId?: string; readonly type?: string; readonly secretId?: string };
  };
}

/** Answers a route: the body goes to the SDK where the route has a response, and nothing does without a body. */
export interface WebSocketResult {
  readonly statusCode: 200;
  readonly body?: string;
}

/** Taken note of, and nothing to say. */
export const SILENCE: WebSocketResult = { statusCode: 200 };
