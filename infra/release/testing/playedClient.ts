/** A request to a played client. */
export interface PlayedRequest {
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: each operation has its own input.
  readonly input: any;
}

/**
 * Makes a client of the AWS SDK answer without AWS.
 *
 * @param answer gives an output, or throws
 * @param requests gets each request
 */
export function playClient<Client extends object>(
  client: Client,
  answer: (request: PlayedRequest) => object,
  requests: PlayedRequest[],
): Client {
  const send = async (command: { readonly constructor: { readonly name: string }; readonly input: object }) => {
    const request = { operation: command.constructor.name.replace(/Command$/, ''), input: command.input };
    requests.push(request);
    return answer(request);
  };
  return Object.assign(client, { send });
}

/** An error of AWS. */
export const awsError = (name: string, message: string): Error => Object.assign(new Error(message), { name });
