import { NotUnderstood, Problem, problemOf } from "./problem.ts";
import { answerChallenge } from "./proof.ts";
import { walkLines, type Line, type Place } from "./stream.ts";
import type { AnswerOf, Ask, ListPaths, Method, OperationOf, PathsOf, RecordOf, Records } from "./types.ts";
import type { Keys } from "./verify.ts";

export interface Options {
  /** The key that is sent to the partner API only. */
  partnerKey?: string;
  /** The credential that is sent to delivery, to the gateway and with rights checks. */
  buyerCredential?: string;
  /** The maximum number of attempts for one call; the default is 4. */
  attempts?: number;
  /** The wait before the second attempt in milliseconds, doubled for each further one; the default is 250. */
  pause?: number;
  fetch?: typeof fetch;
}

/** The longest wait between two attempts, in milliseconds. If the registry asks for a longer one, the call fails. */
const longestWait = 30_000;

/** The POST operations that store nothing, and that may therefore be repeated. */
const storesNothing = ["/v1/agent/licensing-intent/prepare", "/v1/public/contentdna-provenance/verify", "/v1/public/developer/sandbox/run"];

/** The maximum number of challenges that are answered for one request. */
const mostProofs = 3;

const messages = "/v1/public/licensing-conversations/{thread_id}/messages";

/** Returns a key for one request. Send the same key with every retry of that request. */
export const newIdempotencyKey = (): string => crypto.randomUUID();

interface Call {
  path: string;
  method: Method;
  ask: Omit<Ask<never>, "path" | "query" | "body"> & { path?: any; query?: any; body?: any };
}

/** A client of one registry. Nothing that a registry answers grants rights. */
export class Client {
  readonly #base: string;
  readonly #options: Options;
  readonly attempts: number;
  readonly pause: number;

  constructor(base: string, options: Options = {}) {
    if (!/^https?:$/.test(new URL(base).protocol)) throw new TypeError(`${base} is not the address of a registry`);
    this.#base = base.replace(/\/$/, "");
    this.#options = options;
    this.attempts = Math.max(options.attempts ?? 4, 1);
    this.pause = options.pause ?? 250;
  }

  /** Makes a GET request to a path of the API description and returns the parsed answer. Throws a Problem if the registry refuses. */
  async get<P extends PathsOf<"get">>(path: P, ask: Ask<OperationOf<"get", P>> = {}): Promise<AnswerOf<OperationOf<"get", P>>> {
    return read(await this.text(path, ask));
  }

  /** Makes a GET request and returns the answer unparsed, as verifyRecord and verifyReceipt need it. */
  async text<P extends PathsOf<"get">>(path: P, ask: Ask<OperationOf<"get", P>> = {}): Promise<string> {
    return (await this.#exchange({ path, method: "get", ask })).text;
  }

  /** Makes a POST request to a path of the API description and returns the parsed answer. */
  async post<P extends PathsOf<"post">>(path: P, ask: Ask<OperationOf<"post", P>> = {}): Promise<AnswerOf<OperationOf<"post", P>>> {
    return read((await this.#exchange({ path, method: "post", ask })).text);
  }

  /** Yields the records of a list from its beginning to its end. A cursor or an offset in the query is ignored. */
  async *walk<P extends ListPaths>(path: P, ask: Ask<OperationOf<"get", P>> = {}): AsyncGenerator<RecordOf<OperationOf<"get", P>>, void> {
    const { offset: _, ...query } = (ask.query ?? {}) as Record<string, unknown>;
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: { data: RecordOf<OperationOf<"get", P>>[]; page: { next_cursor: string | null } } = await this.#json({ path, method: "get", ask: { ...ask, query: { ...query, cursor } } });
      yield* page.data;
      cursor = page.page.next_cursor;
    }
  }

  /**
   * Sends a licensing inquiry to one publisher and returns its receipt, which grants no rights. The receipt has the
   * token of the conversation; only a retry with the same key returns that token again. If the registry asks a busy
   * caller for a proof of work, the client computes and sends it.
   */
  async createRequest(body: Records["public_request"], key = newIdempotencyKey(), signal?: AbortSignal): Promise<Records["request_receipt"]> {
    const ask = { body, idempotencyKey: key, ...(signal && { signal }) };
    for (let proof: string | undefined, left = mostProofs; ; left--) {
      try {
        return await this.post("/v1/public/licensing-request", proof === undefined ? ask : { ...ask, proof });
      } catch (error) {
        const challenge = error instanceof Problem ? error.body.challenge : undefined;
        proof = challenge && left > 0 ? await answerChallenge(challenge, signal) : undefined;
        if (proof === undefined) throw error;
      }
    }
  }

  /** Sends an inquiry as a partner. */
  createPartnerRequest(body: Records["partner_request"], key = newIdempotencyKey()): Promise<Records["partner_view"]> {
    return this.post("/v1/partner/licensing/requests", { body, idempotencyKey: key });
  }

  /** Creates a snapshot, from which a buyer begins a mirror of the items that the buyer may hold. */
  createSnapshot(body: Records["snapshot"], key = newIdempotencyKey()): Promise<Records["snapshot_created"]> {
    return this.post("/v1/rag-delivery/snapshots", { body, idempotencyKey: key });
  }

  /** Returns the newest messages about an inquiry, and its state. */
  conversation(threadID: string, token: string): Promise<Records["conversation"]> {
    return this.get("/v1/public/licensing-conversations/{thread_id}", { path: { thread_id: threadID }, conversation: token });
  }

  /** Adds a message, which binds nobody. The client sets client_message_id if it is missing, so that a retry adds no second message. */
  postMessage(threadID: string, token: string, message: Records["message"]): Promise<Records["posted_message"] | Records["rotated_token"]> {
    const body = { client_message_id: newIdempotencyKey(), ...message };
    return this.post(messages, { path: { thread_id: threadID }, conversation: token, body });
  }

  /** Returns the public keys of the registry. */
  async keys(): Promise<Keys> {
    return (await this.get("/.well-known/service-contentdna-provenance.json")).keys;
  }

  /** Yields the records of the licensing feed, read as a stream of lines. After a cut it continues with the next record. */
  feedLines(query: { q?: string; limit?: number } = {}, signal?: AbortSignal): AsyncGenerator<Records["feed_record"], void> {
    const ask = (cursor: string) => this.#stream("/v1/public/licensing-feed.ndjson", { limit: 250, ...query, cursor }, signal);
    return walkLines<Records["feed_record"]>(this, "*", ask, (line) => ({ cursor: line.cursor }), true);
  }

  /** Yields the licensed items of a buyer to the end of the feed. After a cut it continues with the next line. */
  deliver(query: Record<string, string | number> = {}, signal?: AbortSignal): AsyncGenerator<DeliveryLine, void> {
    const ask = (cursor: string) => this.#stream("/v1/rag-delivery/feed.ndjson", cursor ? { ...query, cursor } : query, signal);
    return walkLines<DeliveryLine>(this, "", ask, placeInFeed, false);
  }

  /**
   * Yields the changes since a snapshot or since the cursor of a checkpoint ("" for everything), and ends after the
   * checkpoint that is complete. After a cut it continues with the next line.
   */
  changes(since = "", query: Record<string, string | number> = {}, signal?: AbortSignal): AsyncGenerator<Records["delta_line"], void> {
    const ask = (cursor: string) => this.#stream("/v1/rag-delivery/delta.ndjson", cursor ? { ...query, since: cursor } : query, signal);
    return walkLines<Records["delta_line"]>(this, since, ask, placeInDelta, false);
  }

  async #json<T>(call: Call): Promise<T> {
    return read((await this.#exchange(call)).text);
  }

  async #stream(path: string, query: object, signal?: AbortSignal): Promise<Response> {
    return (await this.#exchange({ path, method: "get", ask: { query, ...(signal && { signal }) } })).response;
  }

  /**
   * Makes a call, and repeats it after a temporary failure if a repetition has no further effect. Each attempt reads
   * the whole answer, unless that is a stream of lines.
   */
  async #exchange(call: Call): Promise<{ response: Response; text: string }> {
    for (let attempt = 1; ; attempt++) {
      const wait = Math.min(this.pause * 2 ** (attempt - 1), longestWait);
      const last = attempt >= this.attempts || !mayRepeat(call);
      let failure: unknown;
      let after = wait;
      try {
        const response = await this.#send(call);
        if (response.ok && isLines(response)) return { response, text: "" };
        const text = await textOf(response);
        if (response.ok) return { response, text };
        const problem = problemOf(response.status, text);
        failure = problem;
        after = problem instanceof Problem && problem.body.retry?.after_seconds ? problem.body.retry.after_seconds * 1000 : wait;
        if (!mayPass(problem, response.status)) throw problem;
      } catch (error) {
        if (error instanceof Problem || error instanceof NotUnderstood) throw error;
        failure = error;
      }
      if (last || after > longestWait || call.ask.signal?.aborted) throw failure;
      await sleep(after, call.ask.signal);
    }
  }

  #send(call: Call): Promise<Response> {
    const { ask } = call;
    const headers = new Headers();
    const secret = this.#secret(call.path);
    if (secret) headers.set("Authorization", `Bearer ${secret}`);
    if (ask.idempotencyKey) headers.set("Idempotency-Key", ask.idempotencyKey);
    if (ask.proof) headers.set("Service-Proof", ask.proof);
    if (ask.conversation) headers.set("X-Conversation-Token", ask.conversation);
    const init: RequestInit = { method: call.method.toUpperCase(), headers };
    if (ask.body !== undefined) {
      headers.set("Content-Type", "application/json");
      init.body = JSON.stringify(ask.body);
    }
    if (ask.signal) init.signal = ask.signal;
    return (this.#options.fetch ?? fetch)(this.#base + fill(call.path, ask.path) + search(ask.query), init);
  }

  #secret(path: string): string | undefined {
    if (path.startsWith("/v1/partner/")) return this.#options.partnerKey;
    const forBuyers = ["/v1/rag-delivery/", "/mcp/gateway", "/v1/public/rights/check"];
    return forBuyers.some((p) => path.startsWith(p)) ? this.#options.buyerCredential : undefined;
  }
}

/** One line of the delivery feed. The line that ends an answer is not passed on. */
export type DeliveryLine = Exclude<Records["feed_line"], Records["feed_end"]>;

function placeInFeed(line: Line): Place {
  if (line.type !== "end") return { cursor: line.cursor };
  const cursor = line.next_cursor as string | null;
  return { cursor: cursor ?? undefined, closes: true, ends: cursor === null, hidden: true };
}

function placeInDelta(line: Line): Place {
  const types = ["upsert", "tombstone", "rights", "checkpoint"];
  if (!types.includes(line.type ?? "")) throw new NotUnderstood(`a line of type ${line.type}`);
  const closes = line.type === "checkpoint";
  return { cursor: line.cursor, closes, ends: closes && line.complete === true };
}

/** Reports whether making a call twice has the same effect as making it once. */
function mayRepeat({ method, path, ask }: Call): boolean {
  return method === "get" || !!ask.idempotencyKey || storesNothing.includes(path) || (path === messages && !!ask.body?.client_message_id);
}

function mayPass(failure: Problem | NotUnderstood, status: number): boolean {
  return failure instanceof Problem ? failure.body.retry?.retryable === true : [502, 503, 504].includes(status);
}

const isLines = (response: Response): boolean => response.headers.get("content-type")?.startsWith("application/x-ndjson") ?? false;

/** Returns the text of an answer, including a byte order mark. Throws if the answer is not UTF-8. */
async function textOf(response: Response): Promise<string> {
  const bytes = await response.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NotUnderstood("the answer is no UTF-8");
  }
}

function read<T>(text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new NotUnderstood(`no JSON: ${text.slice(0, 80)}`);
  }
}

function fill(path: string, parts: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (parts[name] === undefined || parts[name] === "") throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(String(parts[name]));
  });
}

function search(query: Record<string, unknown> = {}): string {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) out.append(name, String(one));
  }
  return out.size ? `?${out}` : "";
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
