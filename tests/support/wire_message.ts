/** A message from the server, not interpreted. */
export interface WireMessage {
  readonly id?: string | number;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any -- tests assert on every shape there is
  readonly params?: any;
  // deno-lint-ignore no-explicit-any
  readonly result?: any;
  // deno-lint-ignore no-explicit-any
  readonly error?: { code: number; message: string; data: any };
}
