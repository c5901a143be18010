import type { Records } from "./types.ts";

/** A refusal of the service (RFC 9457). Its code is stable: compare that, not the title. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly body: Records["problem"];

  constructor(status: number, body: Records["problem"]) {
    super(`${status} ${body.code}: ${body.title}${body.detail ? `: ${body.detail}` : ""} (${body.request_id})`);
    this.name = "Problem";
    this.status = status;
    this.code = body.code;
    this.body = body;
  }
}

/** An answer that is neither what the description says nor a problem. */
export class NotUnderstood extends Error {
  override name = "NotUnderstood";
}

/** A stream that was cut repeatedly without a new line in between. */
export class Cut extends Error {
  override name = "Cut";
}

/** Returns the error for an answer that is not a success. */
export function problemOf(status: number, text: string): Problem | NotUnderstood {
  try {
    const body = JSON.parse(text) as Records["problem"];
    if (typeof body.code === "string") return new Problem(status, body);
  } catch {
    // not JSON: reported below
  }
  return new NotUnderstood(`status ${status}: ${text.slice(0, 80)}`);
}
