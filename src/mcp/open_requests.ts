import type {
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResultResponse,
  RequestId,
} from "@modelcontextprotocol/server";

/** An answer to a request. */
export type Answer = JSONRPCResultResponse | JSONRPCErrorResponse;

interface OpenRequest {
  readonly method: string;
  readonly batch: Batch | undefined;
}

/** The answers of a batch, sent as one array when the last one is there. */
export class Batch {
  readonly answers: Answer[] = [];
  /** requests without an answer */
  open = 0;
}

/** The requests that have no answer yet. */
export class OpenRequests {
  readonly #requests = new Map<RequestId, OpenRequest>();
  #waiting: (() => void)[] = [];

  /** Notes a request; false if its id belongs to one that has no answer yet. */
  add(request: JSONRPCRequest, batch: Batch | undefined): boolean {
    if (this.#requests.has(request.id)) return false;
    this.#requests.set(request.id, { method: request.method, batch });
    if (batch !== undefined) batch.open++;
    return true;
  }

  /** The method of a request that has no answer yet. */
  methodOf(id: RequestId | undefined): string | undefined {
    return id === undefined ? undefined : this.#requests.get(id)?.method;
  }

  /** Forgets a request that was answered or cancelled; returns the batch that it came in. */
  close(id: RequestId | undefined): Batch | undefined {
    if (id === undefined) return undefined;
    const batch = this.#requests.get(id)?.batch;
    if (this.#requests.delete(id) && batch !== undefined) batch.open--;
    if (this.#isDone()) { for (const resolve of this.#waiting.splice(0)) resolve(); }
    return batch;
  }

  /** Resolves when every request has its answer; subscriptions end with the connection. */
  done(): Promise<void> {
    return this.#isDone()
      ? Promise.resolve()
      : new Promise((resolve) => this.#waiting.push(resolve));
  }

  #isDone(): boolean {
    for (const { method } of this.#requests.values()) {
      if (method !== "subscriptions/listen") return false;
    }
    return true;
  }
}

/** The id that a `notifications/cancelled` names; none if the SDK will not take the notification for one. */
export function cancelledId(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  const { requestId: id, reason } = message.params ?? {};
  if (reason !== undefined && typeof reason !== "string") return undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
