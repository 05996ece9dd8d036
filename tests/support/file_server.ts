/** Serves files from memory on this machine until disposed of. */
export function serveFiles(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): AsyncDisposable & { readonly url: string; readonly requested: string[] } {
  const requested: string[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
    const name = new URL(request.url).pathname.slice(1);
    requested.push(name);
    const content = Object.hasOwn(files, name) ? files[name] : undefined;
    return content === undefined ? new Response("", { status: 404 }) : new Response(content);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    requested,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
