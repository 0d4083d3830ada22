/** Mapping templates by key, and the expression that picks one. */
interface MappingTemplates {
  readonly templates: Readonly<Record<string, string>>;
  /** A template selection expression. Only a constant key is understood: `\$default`, or a literal. */
  readonly selection?: string;
}

/** A MOCK integration: a request template that names a status code, and responses chosen by that code. */
export interface MockDefinition {
  readonly request: MappingTemplates;
  readonly responses: readonly (MappingTemplates & {
    /** `$default`, or `/pattern/` matched against the status code. */
    readonly key: string;
  })[];
}

/**
 * Runs a MOCK integration: the chosen request template is JSON with a `statusCode` (200 when there is none), which
 * selects the integration response. Templates are taken as constants: VTL is not interpreted.
 *
 * @returns the status code, and the response template's text if an integration response and a template match
 * @throws Error when a template needs VTL or the request template is not JSON.
 */
export function runMock(mock: MockDefinition): { readonly statusCode: number; readonly body?: string } {
  const request = chosen(mock.request);
  const statusCode = request === undefined ? 200 : Number((JSON.parse(request) as { statusCode?: number }).statusCode);
  if (!Number.isInteger(statusCode)) throw new Error(`MOCK request template names no status code: ${request}`);
  const response =
    mock.responses.find(({ key }) => /^\/.*\/$/.test(key) && new RegExp(key.slice(1, -1)).test(String(statusCode))) ??
    mock.responses.find(({ key }) => key === '$default');
  const body = response && chosen(response);
  return body === undefined ? { statusCode } : { statusCode, body };
}

function chosen({ templates, selection }: MappingTemplates): string | undefined {
  const key = selection?.replace(/^\\\$/, '$') ?? '$default';
  const text = templates[key] ?? (selection === undefined ? templates['application/json'] : undefined);
  if (text !== undefined && /[$#]/.test(text)) {
    throw new Error(`The emulator supports constant mapping templates only, and this one needs VTL: ${text}`);
  }
  return text;
}
