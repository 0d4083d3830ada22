/**
 * Answers with the event it got. Told so by `data`, it throws, never ends, answers late, too much, nothing or nonsense.
 */
export async function handler(event: { body: string }): Promise<unknown> {
  const { data } = parse(event.body) as { data?: { do?: string; ms?: number } };
  switch (data?.do) {
    case 'throw':
      throw new TypeError('this handler fails');
    case 'hang':
      return new Promise(() => {});
    case 'wait':
      await new Promise((resolve) => setTimeout(resolve, data.ms ?? 0));
      return { statusCode: 200, body: JSON.stringify(data) };
    case 'flood':
      return { statusCode: 200, body: JSON.stringify('x'.repeat(200 * 1024)) };
    case 'nothing':
      return { statusCode: 200 };
    case 'nonsense':
      return { statusCode: 200, body: { not: 'a string' } };
    default:
      return { statusCode: 200, body: JSON.stringify(event) };
  }
}

function parse(text: string): object {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch {
    return {};
  }
}
