/** New connections at a constant rate, or a pause. */
export type Phase =
  | { readonly duration: number; readonly arrivalRate: number; readonly name?: string }
  | { readonly pause: number; readonly name?: string };
