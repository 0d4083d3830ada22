/** Statuses of 500 and more that say that something is not offered, rather than that something broke. */
const NOT_OFFERED = new Set([501, 505]);

/** The problem of a response, or undefined. @param type its content type, if its body is not compressed */
export function judgeResponse(status: number, body: string, type = ''): string | undefined {
  if (status >= 500 && !NOT_OFFERED.has(status)) return `a request is answered ${status}`;
  if (!type.startsWith('application/json') || body === '') return undefined;
  return isJson(body) ? undefined : `a response of ${status} is no JSON: ${body.slice(0, 100)}`;
}

/** The problem of a message of the server, or undefined: each is a JSON object with `messageType`. */
export function judgeMessage(text: string): string | undefined {
  if (!isJson(text)) return `a message is no JSON: ${text.slice(0, 100)}`;
  const { messageType } = (JSON.parse(text) ?? {}) as { messageType?: unknown };
  return typeof messageType === 'string' ? undefined : `a message has no messageType: ${text.slice(0, 100)}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
